//! The layouts of a file whose producer string many builds share: any development version of LLVM, or a
//! release without a schema of its own.
//!
//! The known releases and builds are sorted by their LLVM. An op has the layout on which all builds around
//! the file agree. Otherwise its blobs decide; if they fit several layouts, its properties are opaque.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::dialect::entries::Entries;
use crate::props::codec::Property;
use crate::props::registry::Schemas;
use crate::props::schema::{OpSchema, PropertySchema};
use crate::release;
use crate::release::producer::{Period, period};
use crate::wire::error::Result;

use super::{
    Ambiguity, Choice, Contradiction, Evidence, ExcludedBuild, LayoutReading, Misfit, REPORTED, Sample,
    may_have_layouts,
};

/// The layouts of a file's ops in the releases and builds of a period.
pub(super) struct PeriodLayouts {
    /// The build that resembles the file most.
    pub(super) schema: Arc<PropertySchema>,
    pub(super) schemas: Vec<Arc<PropertySchema>>,
    /// The builds that may have written the file.
    pub(super) span: RangeInclusive<usize>,
    /// The builds of the producer string that have the layouts of all compared blobs.
    pub(super) fitting: Vec<usize>,
    /// The layout of each op name.
    pub(super) ops: Vec<Choice>,
    /// A message for each op that is opaque because several layouts fit.
    pub(super) ambiguous: Vec<String>,
    /// The builds that cannot have written the file, each with the op that excludes it.
    pub(super) excluded: Vec<ExcludedBuild>,
    /// The readings of each ambiguous op.
    pub(super) ambiguities: Vec<Ambiguity>,
    /// The index of each ambiguity by the schemas and rows of its readings.
    places: HashMap<Vec<(u32, u32)>, u32>,
    /// The ops whose blobs fit none of the layouts.
    pub(super) misfits: Vec<Misfit>,
}

/// A layout of an op, with the builds that have it.
struct OpLayout {
    /// The last of the builds, and the row in its schema.
    place: usize,
    row: usize,
    places: Vec<usize>,
    misfit: Option<Contradiction>,
}

struct Member {
    schema: Arc<PropertySchema>,
    rank: usize,
    known: usize,
    misfits: usize,
    /// The first op whose blobs have another layout.
    first_misfit: Option<u32>,
}

impl Member {
    /// Whether all compared blobs have the layouts of this build.
    fn fits(&self) -> bool {
        self.misfits == 0 && self.known > 0
    }
}

impl<E: Entries> Evidence<'_, E> {
    /// Returns the layouts in a period; `None` if no choice is necessary.
    pub(super) fn period_layouts(
        &self,
        schemas: &Schemas,
        claimed: Option<&PropertySchema>,
        sample: &Sample,
    ) -> Result<Option<PeriodLayouts>> {
        // A schema that the caller has registered for its own producer strings is exact.
        if claimed.map(|schema| release::find(schema.name())).transpose()?.flatten().is_none() {
            return Ok(None);
        }
        let Some(period) = period(self.producer)? else { return Ok(None) };
        let all = release::releases()?;
        let mut members = Vec::new();
        for row in &period.releases {
            let rank = all.iter().position(|other| other.name == row.name).unwrap_or_default();
            members.push(Member {
                schema: schemas.find(&row.name)?,
                rank,
                known: 0,
                misfits: 0,
                first_misfit: None,
            });
        }
        let mut blobs = sample.blobs.clone();
        blobs.sort_unstable();
        let mut layouts = Vec::new();
        for (number, name) in (0u32..).zip(self.names) {
            let mut op_layouts: Vec<OpLayout> = Vec::new();
            if name.is_registered != Some(false) && !self.is_selected(number) {
                let rows: Vec<_> = members.iter().map(|member| member.schema.row_of(name)).collect();
                op_layouts = self.layouts(&period, &members, &rows);
                let start = blobs.partition_point(|(name, _)| *name < number);
                let op_blobs = blobs[start..].iter().take_while(|(name, _)| *name == number);
                self.compare(&members, &mut op_layouts, op_blobs.map(|(_, blob)| *blob));
            }
            for layout in &op_layouts {
                for &place in &layout.places {
                    members[place].known += 1;
                    if layout.misfit.is_some() {
                        members[place].misfits += 1;
                        members[place].first_misfit.get_or_insert(number);
                    }
                }
            }
            layouts.push(op_layouts);
        }
        let is_better = |place: &usize| {
            let member = &members[*place];
            (Reverse(member.misfits), member.known, Reverse(member.rank))
        };
        // No build of the version may be known: the next release has its LLVM.
        let next = Some(period.inside.start.min(members.len().saturating_sub(1)));
        let best = period.inside.clone().max_by_key(is_better).or(next.filter(|_| !members.is_empty()));
        let Some(best) = best else { return Ok(None) };
        let span = span(&period, &members);
        let mut result = PeriodLayouts {
            schema: members[best].schema.clone(),
            schemas: members.iter().map(|member| member.schema.clone()).collect(),
            span: span.clone(),
            fitting: period.inside.clone().filter(|&place| members[place].fits()).collect(),
            ops: Vec::with_capacity(layouts.len()),
            ambiguous: Vec::new(),
            excluded: self.excluded(&members[period.inside.clone()]),
            ambiguities: Vec::new(),
            places: HashMap::new(),
            misfits: Vec::new(),
        };
        for (number, layouts) in (0..).zip(layouts) {
            let choice = match sample.is_without_blobs(number) {
                true => result.without_properties(&layouts, &span),
                false => None,
            };
            let choice = choice.unwrap_or_else(|| result.choose(number, &layouts, best, &span));
            result.ops.push(choice);
        }
        Ok(Some(result))
    }

    // Returns the builds that the blobs exclude; empty if no build fits.
    fn excluded(&self, members: &[Member]) -> Vec<ExcludedBuild> {
        let name =
            |number: u32| self.names.get(number as usize).map_or_else(String::new, |name| name.shown());
        let excluded = members.iter().filter_map(|member| {
            Some(ExcludedBuild { build: member.schema.name().to_owned(), op: name(member.first_misfit?) })
        });
        match members.iter().any(Member::fits) {
            true => excluded.collect(),
            false => Vec::new(),
        }
    }

    /// Returns the different layouts of an op, in the builds of the period and in the nearest builds around
    /// it.
    fn layouts(&self, period: &Period, members: &[Member], rows: &[Option<usize>]) -> Vec<OpLayout> {
        let inside = period.inside.clone();
        let is_known = |place: &usize| {
            let op = rows[*place].and_then(|row| members[*place].schema.op_at(row));
            op.is_some_and(|op| !op.is_opaque())
        };
        let before = (0..inside.start).rev().find(is_known);
        let after = (inside.end..members.len()).find(is_known);
        let places = before.into_iter().chain(inside.filter(is_known)).chain(after);
        let mut layouts: Vec<OpLayout> = Vec::new();
        for (place, row) in places.filter_map(|place| Some((place, rows[place]?))) {
            let schema = &members[place].schema;
            let same =
                |known: &&mut OpLayout| schema.shares_row(row, &members[known.place].schema, known.row);
            match layouts.iter_mut().find(same) {
                Some(known) => {
                    (known.place, known.row) = (place, row);
                    known.places.push(place);
                }
                None => layouts.push(OpLayout { place, row, places: vec![place], misfit: None }),
            }
        }
        layouts
    }

    /// Decodes the sampled blobs of an op with each of its layouts.
    fn compare(&self, members: &[Member], layouts: &mut [OpLayout], blobs: impl Iterator<Item = u32>) {
        let mut values: Vec<Property<'_>> = Vec::new();
        // For each layout: a contradiction if the numbers of groups are not written as MLIR writes them.
        let mut miscounts: Vec<Option<Contradiction>> = layouts.iter().map(|_| None).collect();
        for blob in blobs {
            for (layout, miscount) in layouts.iter_mut().zip(&mut miscounts) {
                let op = members[layout.place].schema.op_at(layout.row);
                let Some(op) = op.filter(|_| layout.misfit.is_none()) else { continue };
                layout.misfit = self.contradiction(op, blob, &mut values);
                if layout.misfit.is_none() && miscount.is_none() {
                    *miscount = self.miscount(op, blob, &values);
                }
            }
        }
        // Other tools may write the numbers differently, and readers accept that.
        let is_exact =
            |(layout, miscount): (&OpLayout, &Option<_>)| layout.misfit.is_none() && miscount.is_none();
        if layouts.iter().zip(&miscounts).any(is_exact) {
            for (layout, miscount) in layouts.iter_mut().zip(miscounts) {
                layout.misfit = layout.misfit.take().or(miscount);
            }
        }
    }
}

/// Returns the builds that fit the file, from the first to the last one; the whole period if none fits.
fn span(period: &Period, members: &[Member]) -> RangeInclusive<usize> {
    let fits = |place: &usize| members[*place].fits();
    let first = period.inside.clone().find(fits);
    let last = period.inside.clone().rev().find(fits);
    match (first, last) {
        (Some(first), Some(last)) => first..=last,
        _ => period.inside.start..=period.inside.end.saturating_sub(1),
    }
}

/// Returns the builds that determine an op: the builds in the span that know the op, and the nearest such
/// build on each side.
pub(super) fn nearest(
    builds: Range<usize>,
    span: &RangeInclusive<usize>,
    knows: impl Fn(usize) -> bool,
) -> impl Iterator<Item = usize> {
    let before = (builds.start..*span.start()).rev().find(|&place| knows(place));
    let after = (span.end() + 1..builds.end).find(|&place| knows(place));
    let inside: Vec<_> = span.clone().filter(|&place| knows(place)).collect();
    before.into_iter().chain(inside).chain(after)
}

impl PeriodLayouts {
    fn op(&self, layout: &OpLayout) -> Option<&OpSchema> {
        self.schemas.get(layout.place)?.op_at(layout.row)
    }

    /// Returns the layouts in the builds that determine an op: builds that may have written the file, and the
    /// nearest builds around it.
    fn near<'l>(&self, layouts: &'l [OpLayout], span: &RangeInclusive<usize>) -> Vec<&'l OpLayout> {
        let knows = |place| layouts.iter().any(|layout| layout.places.contains(&place));
        let bounds: Vec<_> = nearest(0..self.schemas.len(), span, knows).collect();
        let is_near = |layout: &&OpLayout| layout.places.iter().any(|place| bounds.contains(place));
        layouts.iter().filter(is_near).collect()
    }

    /// Returns the layout of an op without any blob in the file, if its writer may have no properties for it.
    /// MLIR writes a blob for every op with properties.
    fn without_properties(&self, layouts: &[OpLayout], span: &RangeInclusive<usize>) -> Option<Choice> {
        let near = self.near(layouts, span);
        let has_none = |layout: &&&OpLayout| self.op(layout).is_some_and(OpSchema::is_empty);
        if let Some(layout) = near.iter().find(has_none) {
            return Some(Choice::Row(layout.place as u32, layout.row as u32));
        }
        // All known builds are newer, and the dialect may have got properties since.
        let is_newer = |layout: &&OpLayout| layout.places.iter().all(|place| place > span.end());
        let layout = *near.first().filter(|_| near.iter().all(is_newer))?;
        Some(Choice::Attributes(layout.place as u32, layout.row as u32))
    }

    fn choose(
        &mut self,
        name: u32,
        layouts: &[OpLayout],
        best: usize,
        span: &RangeInclusive<usize>,
    ) -> Choice {
        let Some(any) = layouts.first() else { return Choice::Absent };
        let fits = |layout: &&OpLayout| layout.misfit.is_none();
        let mut near = self.near(layouts, span);
        near.retain(fits);
        if near.is_empty() {
            near = layouts.iter().filter(fits).collect();
        }
        let of_best = near.iter().find(|layout| layout.places.contains(&best));
        let Some(chosen) = of_best.or_else(|| near.last()).copied() else {
            // A blob of an op that never changes is damaged.
            if self.op(any).is_some_and(OpSchema::never_changes) {
                return Choice::Row(any.place as u32, any.row as u32);
            }
            self.misfits.extend(any.misfit.clone().map(|contradiction| Misfit { name, contradiction }));
            return Choice::Opaque;
        };
        let Some(op) = self.op(chosen) else { return Choice::Absent };
        // The numbers of groups of a build that is not adjacent to the file are no evidence, because the file
        // does not store them.
        let is_adjacent = |layout: &OpLayout| {
            let adjacent = span.start().saturating_sub(1)..=span.end() + 1;
            layout.places.iter().any(|place| adjacent.contains(place))
        };
        let differs = |layout: &OpLayout| {
            self.op(layout).is_some_and(|other| match is_adjacent(layout) {
                true => !other.agrees_with(op),
                false => !other.has_fields_of(op),
            })
        };
        let differing = near.iter().find(|layout| differs(layout));
        if let Some(differing) = differing {
            let name = |layout: &OpLayout| self.schemas.get(layout.place).map_or("", |schema| schema.name());
            let sentence = may_have_layouts(op, name(chosen), name(differing));
            if self.ambiguous.len() < REPORTED {
                self.ambiguous.push(sentence);
            }
            return Choice::Ambiguous(self.ambiguity(&near));
        }
        Choice::Row(chosen.place as u32, chosen.row as u32)
    }

    /// Returns the index of the ambiguity of these layouts. A file may contain a name very often.
    fn ambiguity(&mut self, layouts: &[&OpLayout]) -> u32 {
        let readings = self.readings(layouts);
        let rows = readings.iter().map(|reading| (reading.schema, reading.row)).collect();
        *self.places.entry(rows).or_insert_with(|| {
            self.ambiguities.push(Ambiguity { readings });
            self.ambiguities.len() as u32 - 1
        })
    }

    /// Groups layouts that read every blob in the same way, the layout of the oldest build first.
    fn readings(&self, layouts: &[&OpLayout]) -> Vec<LayoutReading> {
        let mut readings: Vec<LayoutReading> = Vec::new();
        for layout in layouts {
            let agrees = |known: &&mut LayoutReading| {
                let known_op = self
                    .schemas
                    .get(known.schema as usize)
                    .and_then(|schema| schema.op_at(known.row as usize));
                known_op.zip(self.op(layout)).is_some_and(|(known, op)| known.agrees_with(op))
            };
            match readings.iter_mut().find(agrees) {
                Some(known) => known.builds.extend(&layout.places),
                None => readings.push(LayoutReading {
                    builds: layout.places.clone(),
                    schema: layout.place as u32,
                    row: layout.row as u32,
                }),
            }
        }
        readings.iter_mut().for_each(|reading| reading.builds.sort_unstable());
        readings.sort_unstable_by_key(|reading| reading.builds.first().copied());
        readings
    }
}
