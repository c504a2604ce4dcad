//! Installed packs of which only the header was read.
//!
//! Owns the list of these packs and the moment at which each is loaded: when a file, a text or a caller names one of its
//! dialects or releases. Does not own the format of packs; `pack/installed.rs` adds packs with a function that loads them.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A pack that nothing has needed yet.
pub(crate) struct WaitingPack {
    /// The path of the file, by which a pack that is installed twice is noticed.
    pub(crate) path: std::path::PathBuf,
    pub(crate) dialects: Vec<String>,
    pub(crate) releases: Vec<String>,
    /// Reads and registers the pack.
    pub(crate) load: Box<dyn FnOnce() + Send>,
}

static WAITING: Mutex<Vec<WaitingPack>> = Mutex::new(Vec::new());

/// The number of waiting packs, which decreases after they are loaded.
static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether the thread loads packs, whose registration looks up releases.
    static IS_LOADING: Cell<bool> = const { Cell::new(false) };
}

/// Adds a pack, instead of one with its path.
pub(crate) fn add(pack: WaitingPack) {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    waiting.retain(|known| known.path != pack.path);
    waiting.push(pack);
    COUNT.store(waiting.len(), Ordering::Release);
}

/// Returns whether any pack waits.
pub(crate) fn is_any() -> bool {
    COUNT.load(Ordering::Acquire) > 0 && !IS_LOADING.get()
}

/// Loads the packs with a dialect that `is_named`, and returns whether there were any.
pub(crate) fn load_for_dialects(is_named: impl Fn(&str) -> bool) -> bool {
    is_any() && load_packs(|pack| pack.dialects.iter().any(|dialect| is_named(dialect)))
}

/// Loads the packs with a dialect, and returns whether there were any.
pub(crate) fn load_for_dialect(name: &str) -> bool {
    load_for_dialects(|dialect| dialect == name)
}

/// Loads the pack with a release, and returns whether there was one.
pub(crate) fn load_for_release(name: &str) -> bool {
    is_any() && load_packs(|pack| pack.releases.iter().any(|release| release == name))
}

/// The releases of the waiting packs.
pub(crate) fn releases() -> Vec<String> {
    if !is_any() {
        return Vec::new();
    }
    let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    waiting.iter().flat_map(|pack| pack.releases.iter().cloned()).collect()
}

/// Loads packs in the order of their installation: of two packs for one dialect, the last one wins.
fn load_packs(is_wanted: impl Fn(&WaitingPack) -> bool) -> bool {
    // Other threads wait until the packs are registered.
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let (chosen, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut *waiting).into_iter().partition(is_wanted);
    *waiting = rest;
    let is_any_chosen = !chosen.is_empty();
    IS_LOADING.set(true);
    chosen.into_iter().for_each(|pack| (pack.load)());
    IS_LOADING.set(false);
    COUNT.store(waiting.len(), Ordering::Release);
    is_any_chosen
}
