//! A progress bar on the terminal for work that takes long.

use std::io::{self, IsTerminal};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows how far long work is, if standard error is a terminal; the bar disappears on drop.
#[derive(Debug)]
pub(crate) struct Progress(Arc<Bar>);

#[derive(Debug)]
struct Bar {
    label: &'static str,
    template: &'static str,
    start: Instant,
    is_watched: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Creates a bar that is not shown yet.
    pub(crate) fn new(label: &'static str) -> Self {
        Self::with_template(label, "{msg} {wide_bar} {bytes} of {total_bytes}")
    }

    /// As [`Self::new`], for work that is counted in files instead of bytes.
    pub(crate) fn of_files(label: &'static str) -> Self {
        Self::with_template(label, "{msg} {wide_bar} {pos} of {len} files, {eta} left")
    }

    fn with_template(label: &'static str, template: &'static str) -> Self {
        Self::watched(label, template, io::stderr().is_terminal() && !crate::output::is_quiet())
    }

    /// Never shows a bar.
    pub(crate) fn hidden() -> Self {
        Self::watched("", "", false)
    }

    fn watched(label: &'static str, template: &'static str, is_watched: bool) -> Self {
        Self(Arc::new(Bar { label, template, start: Instant::now(), is_watched, bar: OnceLock::new() }))
    }

    /// The bar as the field of the core's options.
    pub(crate) fn to_core(&self) -> mlirbc::progress::Progress {
        let bar = self.0.clone();
        mlirbc::progress::Progress::new(move |done, total| bar.update(done, total))
    }

    /// Writes to the terminal while the bar is hidden.
    pub(crate) fn hide_while<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.0.bar.get() {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Shows that `done` of `total` bytes or files are done.
    pub(crate) fn update(&self, done: u64, total: u64) {
        self.0.update(done, total);
    }
}

impl Bar {
    fn update(&self, done: u64, total: u64) {
        if !self.is_watched || self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style = ProgressStyle::with_template(self.template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_message(self.label)
        });
        bar.set_length(total);
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.0.bar.get() {
            bar.finish_and_clear();
        }
    }
}
