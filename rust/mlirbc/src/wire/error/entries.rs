//! The encoding of attributes and types.

use super::rule::{DAMAGED, WRITER, rules};

rules! {
    EntryPastEnd "read.entry.past_end" Read "attributes and types lie within their section" DAMAGED;
    EntryDirectory "read.entry.directory" Read "the attribute and type directory fills its section" DAMAGED;
    EntryGroupOverrun "read.entry.group_overrun" Read "a group of attributes or types does not contain more entries than are left in the table" WRITER;
    EntryTrailingBytes "read.entry.trailing_bytes" Read "an attribute or type uses all bytes of its entry" DAMAGED;
    EntryText "read.entry.text" Read "the text of an entry is one attribute or one type" WRITER;
    EntryClass "read.entry.class" Read "a reference points to an attribute of the expected class" DAMAGED;
    EntryUnknownCode "read.entry.unknown_code" Read "the dialect of an entry defines the code of the entry" Some("the file may come from a newer release; use a newer mlirbc, or register a dialect table with this code; the bytes of the entry are kept");
    EntryNoTable "unsupported.entry.no_table" Unsupported "there is a dialect table for every encoded attribute and type" Some("register a dialect table, or pass it with `dialects=` or `--dialects`");
    EntryCycle "read.entry.cycle" Read "an attribute or type does not contain itself" WRITER;
    EntryElements "read.entry.elements" Read "the number of elements matches the shape of the type" DAMAGED;
    EntryEncode "invalid.entry" Invalid "the fields of an attribute or type match its encoding" Some("compare the fields with those of the encoding in the dialect table");
}
