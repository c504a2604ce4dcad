//! The resources of a file, by index and by key.

use std::collections::HashMap;

use crate::format::dialect::DialectSection;
use crate::format::resource::{
    ResourceBounds, ResourceDirectory, ResourceEntry, ResourceOwner, ResourcePayload,
};
use crate::format::string::StringTable;
use crate::wire::error::Result;
use crate::wire::section::SectionId;

use super::resource::Resource;
use super::resource_keys::DialectResourceKeys;

use super::{FileTables, dialect_name};

type NameIndex = HashMap<Box<[u8]>, Vec<u32>>;

/// The indices of the resources by key and by group, in file order.
pub(crate) struct ResourceNames {
    keys: NameIndex,
    groups: NameIndex,
    // The indices of the resources with one group and one key. The first resource of the group and the first
    // resource with the key represent these names.
    pairs: HashMap<(u32, u32), Vec<u32>>,
}

impl ResourceNames {
    /// The bytes that a resource takes in the three maps if its names are not shared. The names are as long
    /// as in the file.
    const BYTES: usize = 3 * 64;
}

/// A string of the file, or a name that the file does not have.
enum Name<'m> {
    String(Option<u32>),
    Renamed(&'m [u8]),
}

impl FileTables {
    /// The directory of resources in the file; empty without the two sections.
    ///
    /// # Errors
    /// If it, or a table it refers to, is malformed.
    pub fn resource_directory(&self) -> Result<&ResourceDirectory> {
        self.once(&self.0.resources, || {
            if self.0.bytecode.section(SectionId::ResourceOffset).is_none() {
                return Ok(ResourceDirectory::default());
            }
            let bounds = ResourceBounds {
                strings: self.string_count()?,
                dialects: self.dialect_table()?.section.dialects.len() as u32,
                payloads: self.0.bytecode.section(SectionId::Resource).map_or(0, |s| s.size),
            };
            let (data, base) = self.section(SectionId::ResourceOffset)?;
            ResourceDirectory::read(&data, base, bounds, &self.0.budget)
        })
    }

    /// The resources in file order, external ones first.
    ///
    /// # Errors
    /// If the directory is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let keys: Vec<_> = module.resources()?.map(|resource| resource.key()).collect();
    /// assert_eq!(keys[..3], [&b"note"[..], b"trained", b"layer0.weight"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn resources(&self) -> Result<impl ExactSizeIterator<Item = Resource<'_>>> {
        let rows = self.resource_rows()?;
        Ok((0..rows.directory.entries.len()).map(move |index| rows.at(index, rows.directory.entries[index])))
    }

    /// The resource with this index; `None` past the end.
    ///
    /// # Errors
    /// If the directory is malformed.
    pub fn resource(&self, index: usize) -> Result<Option<Resource<'_>>> {
        let rows = self.resource_rows()?;
        Ok(rows.directory.entries.get(index).map(|&entry| rows.at(index, entry)))
    }

    /// The resources with this key, in file order: external resources and several dialects may have one key.
    /// The first call builds an index of all keys.
    ///
    /// # Errors
    /// If the directory is malformed.
    pub fn resources_named(&self, key: &[u8]) -> Result<impl ExactSizeIterator<Item = Resource<'_>>> {
        let names = self.resource_names()?;
        self.resources_at(names.keys.get(key).map_or(&[], Vec::as_slice))
    }

    /// Returns the resources with this group and this key, in file order; external resources may repeat. The
    /// first call builds an index of all keys.
    ///
    /// # Errors
    /// If the directory is malformed.
    pub fn resources_of_group(
        &self,
        group: &[u8],
        key: &[u8],
    ) -> Result<impl ExactSizeIterator<Item = Resource<'_>>> {
        let names = self.resource_names()?;
        // Names are represented by the first resource with the name.
        let first =
            |names: &NameIndex, name: &[u8]| names.get(name).and_then(|places| places.first().copied());
        let pair = first(&names.groups, group).zip(first(&names.keys, key));
        self.resources_at(pair.and_then(|pair| names.pairs.get(&pair)).map_or(&[], Vec::as_slice))
    }

    fn resources_at<'m>(
        &'m self,
        places: &'m [u32],
    ) -> Result<impl ExactSizeIterator<Item = Resource<'m>> + use<'m>> {
        let rows = self.resource_rows()?;
        // The index is cached, so an error for lost pages must not come later than the first use.
        self.0.source.check_pages()?;
        Ok(places.iter().map(move |&index| rows.at(index as usize, rows.directory.entries[index as usize])))
    }

    fn resource_names<'m>(&'m self) -> Result<&'m ResourceNames> {
        self.once(&self.0.resource_names, || {
            let rows = self.resource_rows()?;
            let ResourceRows { directory, section, strings, .. } = rows;
            let spent = self.0.budget.spend(ResourceNames::BYTES * directory.entries.len());
            spent.map_err(|error| error.in_section(SectionId::ResourceOffset))?;
            // Names are looked up by string first, so that a long name of many resources is hashed once.
            let places = |name_of: &dyn Fn(usize, &ResourceEntry) -> Name<'m>| {
                let mut by_string: HashMap<Option<u32>, Vec<u32>> = HashMap::new();
                let mut places = NameIndex::new();
                for (index, entry) in directory.entries.iter().enumerate() {
                    match name_of(index, entry) {
                        Name::String(string) => by_string.entry(string).or_default().push(index as u32),
                        Name::Renamed(name) => places.entry(name.into()).or_default().push(index as u32),
                    }
                }
                for (string, indices) in by_string {
                    let name = string.and_then(|string| strings.get(string)).unwrap_or_default();
                    places.entry(name.into()).or_default().extend(indices);
                }
                places.values_mut().for_each(|indices| indices.sort_unstable());
                places
            };
            let keys = places(&|index, entry| match rows.renamed(index) {
                Some(renamed) => Name::Renamed(renamed),
                None => Name::String(Some(entry.key)),
            });
            let groups = places(&|_, entry| {
                Name::String(match entry.owner {
                    ResourceOwner::External(name) => Some(name),
                    ResourceOwner::Dialect(dialect) => {
                        section.dialects.get(dialect as usize).map(|dialect| dialect.name)
                    }
                })
            });
            let mut first = vec![(0, 0); directory.entries.len()];
            for indices in groups.values() {
                indices.iter().for_each(|&index| first[index as usize].0 = indices[0]);
            }
            for indices in keys.values() {
                indices.iter().for_each(|&index| first[index as usize].1 = indices[0]);
            }
            let mut pairs: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
            for (index, &pair) in first.iter().enumerate() {
                pairs.entry(pair).or_default().push(index as u32);
            }
            Ok(ResourceNames { keys, groups, pairs })
        })
    }

    fn resource_rows(&self) -> Result<ResourceRows<'_>> {
        Ok(ResourceRows {
            tables: self,
            directory: self.resource_directory()?,
            section: &self.dialect_table()?.section,
            strings: self.strings()?,
            keys: self.dialect_resource_keys()?,
        })
    }

    /// The keys of the resources of dialects.
    pub(super) fn dialect_resource_keys(&self) -> Result<&DialectResourceKeys> {
        self.once(&self.0.dialect_resources, || {
            let (section, strings) = (&self.dialect_table()?.section, self.strings()?);
            let dialect_of = |index: u32| section.dialects.get(index as usize).map(|dialect| dialect.name);
            DialectResourceKeys::of(self.resource_directory()?, dialect_of, strings, &self.0.budget)
        })
    }

    pub(crate) fn resource_payload(&self, entry: &ResourceEntry) -> Result<Option<ResourcePayload>> {
        self.0.source.check()?;
        let section = self.0.bytecode.section(SectionId::Resource).map_or(0, |s| s.offset);
        let payload = ResourcePayload::read(&self.0.source, section, entry, self.string_count()?);
        self.unless_lost(payload)
    }
}

/// The tables in which a resource is looked up.
#[derive(Clone, Copy)]
struct ResourceRows<'m> {
    tables: &'m FileTables,
    directory: &'m ResourceDirectory,
    section: &'m DialectSection,
    strings: &'m StringTable,
    keys: &'m DialectResourceKeys,
}

impl<'m> ResourceRows<'m> {
    fn at(&self, index: usize, entry: ResourceEntry) -> Resource<'m> {
        let group = match entry.owner {
            ResourceOwner::External(name) => self.strings.get(name),
            ResourceOwner::Dialect(dialect) => dialect_name(self.section, self.strings, dialect),
        };
        let key = self.renamed(index).unwrap_or_else(|| self.strings.get(entry.key).unwrap_or_default());
        Resource { tables: self.tables, index, entry, group: group.unwrap_or_default(), key }
    }

    fn renamed(&self, index: usize) -> Option<&'m [u8]> {
        self.keys.renamed(index.checked_sub(self.directory.externals)?.try_into().ok()?)
    }
}
