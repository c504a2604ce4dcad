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
    what: &'static str,
    template: &'static str,
    start: Instant,
    is_watched: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Nothing is shown yet.
    pub(crate) fn new(what: &'static str) -> Self {
        Self::with_template(what, "{msg} {wide_bar} {bytes} of {total_bytes}")
    }

    /// As [`Self::new`], for work that is counted in files instead of bytes.
    pub(crate) fn of_files(what: &'static str) -> Self {
        Self::with_template(what, "{msg} {wide_bar} {pos} of {len} files, {eta} left")
    }

    fn with_template(what: &'static str, template: &'static str) -> Self {
        let is_watched = io::stderr().is_terminal() && !crate::output::is_quiet();
        Self(Arc::new(Bar { what, template, start: Instant::now(), is_watched, bar: OnceLock::new() }))
    }

    /// The bar as the field of the core's options.
    pub(crate) fn to_core(&self) -> mlirbc::progress::Progress {
        let bar = self.0.clone();
        mlirbc::progress::Progress::new(move |done, total| bar.update(done, total))
    }

    /// `done` of `total` bytes or files are done.
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
            ProgressBar::new(total).with_style(style).with_message(self.what)
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
