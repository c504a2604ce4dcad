//! Operations, regions, blocks and values, as they are stored.

use super::rule::{DAMAGED, rules};

rules! {
    RegionSection "read.region.section" Read "the regions of an isolated operation are in a section with id 4 (IR)" DAMAGED;
    RegionValues "read.region.values" Read "a region does not define more values than it declares" DAMAGED;
    UnresolvedValue "read.value.unresolved" Read "every used value is defined" DAMAGED;
    UseList "read.use_list" Read "a use-list order is a permutation of the uses of the value" DAMAGED;
    TopLevel "read.top_level" Read "the file has exactly one top-level operation" Some("read the operations with `Module.operations`, which accepts any number of top-level operations");
}
