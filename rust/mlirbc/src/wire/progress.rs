//! Reports of the progress of writing and verifying.
//!
//! Owns [`Progress`], a callback that options carry. Does not own interruption (`ReadOptions::interrupt`).

use std::fmt;
use std::sync::Arc;

/// A callback that receives the number of bytes of long work that are done, and the total; the default does
/// nothing.
///
/// A field of [`WriteOptions`](crate::WriteOptions) and [`VerifyOptions`](crate::ir::VerifyOptions). Work
/// with several passes starts again from zero for each pass.
///
/// ```
/// use mlirbc::progress::Progress;
/// use mlirbc::WriteOptions;
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let progress = Progress::new(|done, all| eprintln!("{done} of {all}"));
/// module.write(&mut Vec::new(), &WriteOptions::default().progress(progress))?;
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<dyn Fn(u64, u64) + Send + Sync>>);

impl Progress {
    /// Calls `report` now and then, in the thread that does the work.
    pub fn new(report: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(report)))
    }

    /// Calls the callback.
    #[inline]
    pub(crate) fn report(&self, done: u64, all: u64) {
        if let Some(report) = &self.0 {
            report(done, all);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(callback)" } else { "Progress(none)" })
    }
}
