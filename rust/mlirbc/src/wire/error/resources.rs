//! The resource sections.

use super::rule::{DAMAGED, rules};

rules! {
    ResourceSections "read.resource.sections" Read "the two resource sections occur together" DAMAGED;
    ResourceTrailingBytes "read.resource.trailing_bytes" Read "a resource uses all bytes of its entry" DAMAGED;
    ResourceKind "read.resource.kind" Read "the kind of a resource is blob, bool or string, and the dialect that owns it accepts that kind" DAMAGED;
    ResourceNoData "read.resource.no_data" Read "an external resource has data" Some("the resource data was elided when the file was written; write the file again without eliding");
}
