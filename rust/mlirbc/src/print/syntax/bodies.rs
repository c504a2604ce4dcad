//! Implements [`BodySyntax`] for the printer: affine maps, and short forms of bodies.

use crate::assembly::{AttributeSyntax, BodySyntax, Bracket, MapShape};
use crate::attr::EntryValues;
use crate::format::id::{AttrId, TypeId};
use crate::ir::{OpId, ValueId};

use super::super::dialects::affine;
use super::super::dialects::linalg;
use super::super::dialects::linalg_body::note_body;
use super::super::dialects::stablehlo;
use super::super::draft::OperationDraft;
use super::super::plan::PlanPiece;
use super::{Generic, Written, known, written};

impl<'m> BodySyntax for OperationDraft<'_, 'm, '_> {
    fn map_shape(&mut self, map: AttrId) -> Option<MapShape> {
        self.affine_map(map).map(|map| map.shape())
    }

    fn map_of_values(
        &mut self,
        bracket: Bracket,
        name: &str,
        values: &[ValueId],
    ) -> Result<Vec<ValueId>, Generic> {
        let map = known(self.any_attr(name).and_then(|map| self.affine_map(map)))?;
        let (open, close) = bracket.texts();
        OperationDraft::text(self, open);
        written(affine::map_of_values(self, &map, values))?;
        OperationDraft::text(self, close);
        Ok(values.to_vec())
    }

    fn grouped_bounds(
        &mut self,
        keyword: &str,
        map: &str,
        groups: &str,
        values: &[ValueId],
    ) -> Result<Vec<ValueId>, Generic> {
        OperationDraft::text(self, "(");
        written(affine::grouped_bounds(self, [map, groups], values, keyword))?;
        OperationDraft::text(self, ")");
        Ok(values.to_vec())
    }

    fn reduction(&mut self, kind: Option<AttrId>) -> Result<i64, Generic> {
        let kind = known(kind.and_then(|kind| self.file.integer(kind)?.value))?;
        let name = usize::try_from(kind)
            .ok()
            .and_then(|kind| affine::reductions_of(OperationDraft::release(self)).get(kind).copied());
        OperationDraft::quoted(self, known(name)?.as_bytes());
        Ok(kind)
    }

    fn iteration_traits(&mut self, names: &[&str], _: &str, shows_defaults: bool) -> Written {
        written(self.traits(names, shows_defaults))
    }

    fn dense_array(&mut self, name: &str) -> Written {
        let attribute = OperationDraft::attr(self, name);
        self.put_piece(attribute.map(AttrId::new), PlanPiece::Array).map(drop)
    }

    fn note_structured_body(&mut self, kind: Option<AttrId>) {
        note_body(self, kind);
    }

    fn note_memoized_maps(&mut self) {
        linalg::note_maps(self);
    }

    fn payload(&mut self, init_first: bool, has_unused_init: bool) -> Result<Option<()>, Generic> {
        match linalg::payload(self, init_first, has_unused_init) {
            Some(op) => written(linalg::short_payload(self, op)).map(Some),
            None => Ok(None),
        }
    }

    fn reducer(&mut self, inputs: &[ValueId]) -> Result<Option<String>, Generic> {
        known(stablehlo::reducer(self, inputs))
    }

    fn wrapped_operation(&mut self, region: usize) -> Result<Vec<TypeId>, Generic> {
        let regions = known(self.regions())?;
        let block = known(regions.entry(region))?;
        if block.ops != 2 || regions.body.detail(OpId::new(block.first_op)).is_some() {
            return Err(Generic);
        }
        self.push(PlanPiece::InlineGeneric(block.first_op));
        Ok(Vec::new())
    }

    fn bare_map(&mut self, map: Option<AttrId>) -> Result<AttrId, Generic> {
        let attribute = known(map)?;
        let map = known(self.affine_map(attribute))?;
        OperationDraft::text(self, "(");
        written(OperationDraft::list(self, 0..map.dimensions, |draft, number| {
            OperationDraft::text(draft, "d");
            draft.number(number);
            Some(())
        }))?;
        OperationDraft::text(self, ") -> (");
        self.plan.with_text(|out| map.write_results(out));
        OperationDraft::text(self, ")");
        Ok(attribute)
    }
}
