//! Handles the truncation of a mapped file: one process-wide `SIGBUS` handler, installed with the first map.
//!
//! Owns the handler; [`registry`] owns the addresses of the maps. A fault inside a registered map marks the
//! map as lost and replaces the missing pages by zero pages; every other fault goes to the previous handler.
//! Alternatives considered: checking the size of the file before each access (racy, and ineffective for views
//! that were already returned), copying files (opening then takes time proportional to the size), and letting
//! the process die.

mod registry;

mod sync {
    pub(super) use std::sync::Mutex;
    pub(super) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
}
#[cfg(test)]
mod tests;

use std::ptr::null_mut;
use std::sync::OnceLock;

use registry::{MapSlot, Registry};
use sync::{AtomicPtr, AtomicUsize, Mutex, Ordering};

static MAPS: Registry = Registry { newest: AtomicPtr::new(null_mut()), free: Mutex::new(Vec::new()) };
static PAGE: AtomicUsize = AtomicUsize::new(0);
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// A map that is registered with the handler until this is dropped, which happens before the map is unmapped.
pub(super) struct Registration(&'static MapSlot);

/// Whether pages of a map were lost; valid while its [`Registration`] is alive.
pub(super) struct Lost(&'static MapSlot);

impl Registration {
    /// Registers a nonempty map.
    pub(super) fn new(map: &[u8]) -> Self {
        install();
        let start = map.as_ptr() as usize;
        Self(MAPS.add(start, start + map.len()))
    }

    pub(super) fn lost(&self) -> Lost {
        Lost(self.0)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        MAPS.remove(self.0);
    }
}

impl Lost {
    #[inline]
    pub(super) fn get(&self) -> bool {
        self.0.is_lost()
    }

    pub(super) fn set(&self) {
        self.0.set_lost();
    }
}

/// The size of a page, after a map was registered.
pub(super) fn page_size() -> usize {
    PAGE.load(Ordering::Acquire).max(1)
}

fn install() {
    PREVIOUS.get_or_init(|| {
        // SAFETY: system calls on zero-initialised plain data; the handler is async-signal-safe (atomics,
        // `mmap`, `sigaction`, `raise`) and has the signature that `SA_SIGINFO` requires.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE);
            PAGE.store(usize::try_from(page).unwrap_or(4096).max(1), Ordering::Release);
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut previous: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_fault as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &action, &mut previous);
            previous
        }
    });
}

extern "C" fn on_fault(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid `siginfo_t` to an `SA_SIGINFO` handler.
    let is_fault = is_fault(unsafe { (*info).si_code });
    if is_fault {
        // SAFETY: as above; the signal of a fault contains an address.
        let address = unsafe { (*info).si_addr() } as usize;
        if let Some((slot, end)) = MAPS.find(address) {
            slot.set_lost();
            if fill_with_zeros(address, end) {
                return;
            }
        }
    }
    pass_on(signal, info, context, is_fault);
}

// A signal sent by a process has no address; the same bytes contain its sender.
fn is_fault(code: libc::c_int) -> bool {
    // On macOS, `SI_USER` and related codes start here; elsewhere they are zero or negative.
    const SENT_ON_APPLE: libc::c_int = 0x10001;
    if cfg!(target_vendor = "apple") { code < SENT_ON_APPLE } else { code > 0 }
}

// All pages from the faulting one on are past the end of the file, so the rest of the map is replaced.
fn fill_with_zeros(address: usize, end: usize) -> bool {
    let page = page_size();
    let from = address / page * page;
    // SAFETY: [from, end) is inside a registered map. The faulting thread reads it through a reference, so it
    // remains registered and mapped until this handler returns; see [`Registry::find`] for why both ends
    // belong to this map. Slices remain valid to read when its pages are replaced by zero pages.
    let mapped = unsafe {
        libc::mmap(
            from as *mut libc::c_void,
            end - from,
            libc::PROT_READ,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
            -1,
            0,
        )
    };
    mapped != libc::MAP_FAILED
}

fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void, is_fault: bool) {
    let previous = PREVIOUS.get();
    let handler = previous.map_or(libc::SIG_DFL, |p| p.sa_sigaction);
    // SAFETY: calls the previous handler exactly as the kernel would, or restores the default action, under
    // which the instruction faults again or the signal is sent again, which ends the process.
    unsafe {
        match previous {
            Some(previous) if handler != libc::SIG_DFL && handler != libc::SIG_IGN => {
                if previous.sa_flags & libc::SA_SIGINFO != 0 {
                    let call: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                        std::mem::transmute(handler);
                    call(signal, info, context);
                } else {
                    let call: extern "C" fn(libc::c_int) = std::mem::transmute(handler);
                    call(signal);
                }
            }
            Some(_) if handler == libc::SIG_IGN && !is_fault => {}
            _ => {
                let mut default: libc::sigaction = std::mem::zeroed();
                default.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &default, null_mut());
                if !is_fault {
                    // Blocked until this handler returns.
                    libc::raise(signal);
                }
            }
        }
    }
}
