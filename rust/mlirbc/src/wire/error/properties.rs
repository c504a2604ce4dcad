//! Property blobs and native properties.

use super::rule::{DAMAGED, WRITER, rules};

rules! {
    PropertyBlob "read.property.blob" Read "properties have the layout of the release that wrote the file" Some("if the release was detected incorrectly, specify it with `release=` or `--release`; otherwise the file is damaged, download or write it again");
    PropertyOpaque "unsupported.property.opaque" Unsupported "the layout of the properties of an operation is known" Some("specify the release that wrote the file with `release=` or `--release`, or add a pack with `--dialects`, or a property schema with `schemas.register` or `--schemas`");
    PropertyTrailingBytes "read.property.trailing_bytes" Read "property blobs fill their section" DAMAGED;
    PropertyVersion "read.property.version" Read "native properties occur in version 5 and later only" WRITER;
}
