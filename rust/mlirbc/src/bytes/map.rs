//! Memory maps, and the guard that survives a mapped file being cut. The only unsafe code of the crate.
//!
//! The guard is one process-wide `SIGBUS` handler, installed with the first map. A fault inside one of our
//! maps is answered with zero pages and a mark on that map; every other fault goes to the handler that was
//! there before. Beaten: asking for the file's size before each access (racy, and blind to views already
//! handed out), copying files (opening then costs the size), and letting the process die. On Windows a
//! mapped file cannot be cut, so there is no guard.

#![allow(unsafe_code)]

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;
use memmap2::{Mmap, MmapOptions};

/// Knows whether a map still shows the file it was made from.
pub(super) struct Watch {
    path: PathBuf,
    identity: Option<(u64, u64)>,
    #[cfg(unix)]
    torn: guard::Torn,
}

impl Watch {
    /// The size the file has now, if its path still leads to it: after an atomic save it leads to another
    /// file, and nothing was lost.
    pub(super) fn size_now(&self) -> Option<u64> {
        let now = std::fs::metadata(&self.path).ok()?;
        (self.identity.is_some() && identity(&now) == self.identity).then_some(now.len())
    }

    /// The file again, if its path still leads to it.
    pub(super) fn reopened(&self) -> Option<File> {
        let file = File::open(&self.path).ok()?;
        let now = file.metadata().ok()?;
        (self.identity.is_some() && identity(&now) == self.identity).then_some(file)
    }

    /// Whether a page that the file lost was touched.
    pub(super) fn is_torn(&self) -> bool {
        #[cfg(unix)]
        return self.torn.get();
        #[cfg(not(unix))]
        false
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

// Fields drop in this order: a map must be unknown to the handler before its addresses are given back.
struct Owner {
    #[cfg(unix)]
    _registration: guard::Registration,
    map: Mmap,
}

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

/// Maps the whole of `file`, which is not empty.
pub(super) fn map(file: &File, path: &Path, metadata: &Metadata) -> io::Result<(Bytes, Watch)> {
    // SAFETY: the map is read-only and private. Others may still write to the file; no code of this crate
    // relies on two reads of a byte being equal for memory safety: every index into decoded tables is
    // checked when it is used, and slices are bounded by the map's fixed length. A file that is cut is
    // answered by the guard below.
    let map = unsafe { MmapOptions::new().map(file)? };
    #[cfg(unix)]
    let registration = guard::Registration::new(&map);
    let watch = Watch {
        path: path.to_owned(),
        identity: identity(metadata),
        #[cfg(unix)]
        torn: registration.torn(),
    };
    let owner = Owner {
        #[cfg(unix)]
        _registration: registration,
        map,
    };
    Ok((Bytes::from_owner(owner), watch))
}

#[cfg(unix)]
mod guard {
    use std::ptr::null_mut;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

    /// One registered map. Nodes are never freed, only reused, so the handler may always follow the list.
    struct Node {
        start: AtomicUsize,
        end: AtomicUsize,
        torn: AtomicBool,
        taken: AtomicBool,
        next: AtomicPtr<Node>,
    }

    static HEAD: AtomicPtr<Node> = AtomicPtr::new(null_mut());
    static PAGE: AtomicUsize = AtomicUsize::new(0);
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

    /// A map that the handler knows, until this is dropped.
    pub(super) struct Registration(&'static Node);

    /// Whether pages of a map were lost; meaningful while its [`Registration`] lives.
    pub(super) struct Torn(&'static Node);

    impl Registration {
        pub(super) fn new(map: &[u8]) -> Self {
            install();
            let node = free_node();
            let start = map.as_ptr() as usize;
            node.torn.store(false, Ordering::Relaxed);
            node.start.store(start, Ordering::Relaxed);
            node.end.store(start + map.len(), Ordering::Release);
            Self(node)
        }

        pub(super) fn torn(&self) -> Torn {
            Torn(self.0)
        }
    }

    impl Torn {
        pub(super) fn get(&self) -> bool {
            self.0.torn.load(Ordering::Acquire)
        }
    }

    impl Drop for Registration {
        fn drop(&mut self) {
            self.0.end.store(0, Ordering::Release);
            self.0.start.store(0, Ordering::Relaxed);
            self.0.taken.store(false, Ordering::Release);
        }
    }

    fn nodes() -> impl Iterator<Item = &'static Node> {
        let mut next = HEAD.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: every pointer in the list comes from `Box::leak` and is never freed.
            let node = unsafe { next.as_ref()? };
            next = node.next.load(Ordering::Acquire);
            Some(node)
        })
    }

    fn free_node() -> &'static Node {
        let free = nodes().find(|node| {
            node.taken.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        });
        if let Some(node) = free {
            return node;
        }
        let node: &'static mut Node = Box::leak(Box::new(Node {
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            torn: AtomicBool::new(false),
            taken: AtomicBool::new(true),
            next: AtomicPtr::new(HEAD.load(Ordering::Acquire)),
        }));
        let pointer: *mut Node = node;
        loop {
            // SAFETY: `pointer` is the leaked node; nobody else sees it before the exchange succeeds.
            let head = unsafe { (*pointer).next.load(Ordering::Relaxed) };
            match HEAD.compare_exchange(head, pointer, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: leaked above, so it lives forever and is only reached through shared references.
                Ok(_) => return unsafe { &*pointer },
                // SAFETY: as for the load.
                Err(now) => unsafe { (*pointer).next.store(now, Ordering::Relaxed) },
            }
        }
    }

    fn install() {
        PREVIOUS.get_or_init(|| {
            // SAFETY: plain system calls on zero-initialised plain data; the handler is async-signal-safe
            // (atomics, `mmap`, `sigaction`) and has the signature that `SA_SIGINFO` asks for.
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
        let address = unsafe { (*info).si_addr() } as usize;
        for node in nodes() {
            let end = node.end.load(Ordering::Acquire);
            let start = node.start.load(Ordering::Relaxed);
            if address >= start && address < end && fill_with_zeros(address, end) {
                node.torn.store(true, Ordering::Release);
                return;
            }
        }
        pass_on(signal, info, context);
    }

    // From the faulting page on everything lies past the file's end, so the rest of the map is replaced.
    fn fill_with_zeros(address: usize, end: usize) -> bool {
        let page = PAGE.load(Ordering::Acquire).max(1);
        let from = address / page * page;
        // SAFETY: [from, end) lies inside a map that is registered, hence still mapped and owned by us;
        // replacing its pages by zero pages keeps every slice of it valid to read.
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

    fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        let previous = PREVIOUS.get();
        let handler = previous.map_or(libc::SIG_DFL, |p| p.sa_sigaction);
        // SAFETY: calls the previous handler exactly as the kernel would have, or restores the default
        // action, under which the instruction faults again and ends the process.
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
                _ => {
                    let mut default: libc::sigaction = std::mem::zeroed();
                    default.sa_sigaction = libc::SIG_DFL;
                    libc::sigaction(signal, &default, null_mut());
                }
            }
        }
    }
}
