//! Damage to resources.

use mlirbc::Result;

use crate::draws::Draws;

use super::original::{Original, missing};
use super::tables::{Owner, Payload, Resource, Tables};

/// Appends bytes to the payload of a resource.
pub(super) fn trailing_bytes(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_resource(
        original,
        draws,
        |_| true,
        |resource, draws| {
            let more = [&[draws.word() as u8][..], &draws.bytes(10)].concat();
            match &mut resource.payload {
                Payload::Blob { tail, .. } => *tail = more,
                Payload::Bytes(bytes) => bytes.extend(more),
            }
        },
    )
}

/// Gives a resource an unknown kind, or a kind that attributes cannot refer to.
pub(super) fn kind(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    if draws.one_in(2) {
        return in_resource(
            original,
            draws,
            |_| true,
            |resource, draws| {
                resource.kind = 3 + draws.below(253) as u8;
            },
        );
    }
    let is_of_dialect = |resource: &Resource| matches!(resource.owner, Owner::Dialect(_));
    in_resource(original, draws, is_of_dialect, |resource, draws| {
        (resource.kind, resource.payload) = (1, Payload::Bytes(vec![draws.below(2) as u8]));
    })
}

/// Removes all data from a resource of an external group.
pub(super) fn no_data(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let is_external = |resource: &Resource| matches!(resource.owner, Owner::External(_));
    in_resource(original, draws, is_external, |resource, _| resource.payload = Payload::Bytes(Vec::new()))
}

fn in_resource(
    original: &Original<'_>,
    draws: &mut Draws<'_, '_>,
    is_fit: impl Fn(&Resource) -> bool,
    change: impl FnOnce(&mut Resource, &mut Draws<'_, '_>),
) -> Result<Vec<u8>> {
    let mut tables: Tables = original.tables()?;
    let mut fit: Vec<_> = tables.resources.iter_mut().filter(|resource| is_fit(resource)).collect();
    let place = draws.below(fit.len());
    let resource = fit.get_mut(place).ok_or_else(|| missing("resource"))?;
    change(resource, draws);
    Ok(tables.join())
}
