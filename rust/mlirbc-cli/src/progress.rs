//! A bar on the terminal for work that lets its user wait.

use std::cell::OnceCell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work done sooner than this is not worth a bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows how far the work is, if it takes long and somebody watches; gone when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    start: Instant,
    is_watched: bool,
    bar: OnceCell<ProgressBar>,
}

impl Progress {
    /// Nothing is shown yet.
    pub(crate) fn new(what: &'static str) -> Self {
        let is_watched = io::stderr().is_terminal();
        Self { what, start: Instant::now(), is_watched, bar: OnceCell::new() }
    }

    /// `done` of `total` bytes are done.
    pub(crate) fn update(&self, done: u64, total: u64) {
        if !self.is_watched || self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let template = "{msg} {wide_bar} {bytes} of {total_bytes}";
            let style = ProgressStyle::with_template(template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_message(self.what)
        });
        bar.set_length(total);
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
