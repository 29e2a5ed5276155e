//! A small library that the loader puts in front of a program and that makes the program copy itself.
//!
//! It is compiled by `build.rs`, apart from the crate, into a shared object without Rust's runtime, and carried inside
//! the crate as bytes (`host.rs` writes them to a file and names it in `LD_PRELOAD`). It does nothing but answer one
//! signal. When the signal comes, the program is where its input is: blocked in a `read` that nothing has answered. The
//! handler then takes orders from standard input, which is a socket. For each order it makes a copy of the process; the
//! copy gets the descriptors that came with the order and returns from the handler, so that the interrupted `read` starts
//! again, on the copy's own input. The original never returns.
//!
//! Safe because: a handler may only make system calls, and this one does nothing else; the program has one thread, which
//! `host.rs` makes sure of before it signals, so a copy holds every lock that it finds taken; a copy differs from the
//! original in its descriptors, its process group, its mark in the environment and in having this signal's default back.
//!
//! The copy is a child of our own process and not of the original (`CLONE_PARENT`), so it is waited for, limited and
//! looked at exactly like a process that we have started.
#![no_std]

use core::ffi::{c_char, c_int, c_long, c_void};
use core::ptr::{addr_of_mut, null_mut};

#[link(name = "c")]
unsafe extern "C" {
    fn signal(number: c_int, handler: usize) -> usize;
    fn getenv(name: *const c_char) -> *mut c_char;
    fn prctl(option: c_int, ...) -> c_int;
    fn syscall(number: c_long, ...) -> c_long;
    fn recvmsg(socket: c_int, message: *mut Message, flags: c_int) -> isize;
    fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
    fn dup2(from: c_int, to: c_int) -> c_int;
    fn close(file: c_int) -> c_int;
    fn getitimer(which: c_int, value: *mut [c_long; 4]) -> c_int;
    fn setpgid(pid: c_int, group: c_int) -> c_int;
    fn _exit(code: c_int) -> !;
    fn __errno_location() -> *mut c_int;
}

const SIGUSR2: c_int = 12;
const SIGCHLD: c_int = 17;
const PR_GET_TID_ADDRESS: c_int = 40;
const CLONE_PARENT: c_long = 0x8000;
const CLONE_CHILD_CLEARTID: c_long = 0x0020_0000;
const CLONE_CHILD_SETTID: c_long = 0x0100_0000;
#[cfg(target_arch = "x86_64")]
const SYS_CLONE: c_long = 56;
#[cfg(target_arch = "aarch64")]
const SYS_CLONE: c_long = 220;

/// Standard input: the socket that orders come from.
const ORDERS: c_int = 0;
/// Descriptors in an order: input, output, errors, and perhaps one that takes the place of `Order::place`.
const MOST: usize = 4;
/// Digits that tell one copy's mark from another's.
const DIGITS: usize = 12;

/// One order; `host.rs` writes the same bytes.
#[repr(C)]
struct Order {
    /// The descriptor that the fourth one replaces; -1 if there is none.
    place: i32,
    /// The last digits of the mark.
    digits: [u8; DIGITS],
}

#[repr(C)]
struct Slice {
    at: *mut c_void,
    count: usize,
}

#[repr(C)]
struct Message {
    name: *mut c_void,
    name_count: u32,
    slices: *mut Slice,
    slice_count: usize,
    control: *mut c_void,
    control_count: usize,
    flags: c_int,
}

/// A control message with descriptors.
#[repr(C, align(8))]
struct Control {
    count: usize,
    level: c_int,
    kind: c_int,
    files: [c_int; MOST],
}

/// The end of the mark in the environment, where a copy writes its own digits.
static mut MARK: *mut u8 = null_mut();
/// Where the C library keeps the number of its thread.
static mut THREAD: usize = 0;

#[used]
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn() = at_start;

extern "C" fn at_start() {
    // SAFETY: called once by the loader, before the program and while there is one thread.
    unsafe {
        let mark = getenv(c"FALSUM_RUN".as_ptr()).cast::<u8>();
        if getenv(c"FALSUM_HOST".as_ptr()).is_null() || mark.is_null() {
            return;
        }
        let mut end = mark;
        while *end != 0 {
            end = end.add(1);
        }
        if (end as usize) - (mark as usize) < DIGITS {
            return;
        }
        MARK = end.sub(DIGITS);
        if prctl(PR_GET_TID_ADDRESS, addr_of_mut!(THREAD)) != 0 {
            THREAD = 0;
        }
        signal(SIGUSR2, take_orders as *const () as usize);
    }
}

extern "C" fn take_orders(_: c_int) {
    // SAFETY: system calls on locals; see the head of this file.
    unsafe {
        let errno = *__errno_location();
        let ready = if has_timer() { -1i32 } else { 0 };
        write(ORDERS, (&raw const ready).cast(), size_of::<i32>());
        loop {
            let mut order = Order { place: -1, digits: [0; DIGITS] };
            let mut control = Control { count: 0, level: 0, kind: 0, files: [-1; MOST] };
            let files = match receive(&mut order, &mut control) {
                Some(files) => files,
                None => _exit(0),
            };
            let pid = copy();
            if pid == 0 {
                become_own(&order, files);
                *__errno_location() = errno;
                return;
            }
            for &file in files {
                close(file);
            }
            let pid = if pid < 0 { -*__errno_location() } else { pid as c_int };
            write(ORDERS, (&raw const pid).cast(), size_of::<c_int>());
        }
    }
}

/// Whether an alarm is set, which a copy would not inherit.
unsafe fn has_timer() -> bool {
    (0..3).any(|which| {
        let mut value = [0; 4];
        // SAFETY: the value is as large as two times of two words.
        unsafe { getitimer(which, &raw mut value) == 0 && (value[2] != 0 || value[3] != 0) }
    })
}

/// The next order and its descriptors; `None` once the other end is closed.
unsafe fn receive<'c>(order: &mut Order, control: &'c mut Control) -> Option<&'c [c_int]> {
    let mut slice = Slice { at: (&raw mut *order).cast(), count: size_of::<Order>() };
    let mut message = Message {
        name: null_mut(),
        name_count: 0,
        slices: &raw mut slice,
        slice_count: 1,
        control: (&raw mut *control).cast(),
        control_count: size_of::<Control>(),
        flags: 0,
    };
    // SAFETY: all pointers are to live locals of the stated sizes. An order is one small message that a socket never splits.
    let got = unsafe { recvmsg(ORDERS, &raw mut message, 0) };
    let head = size_of::<usize>() + 2 * size_of::<c_int>();
    if got != size_of::<Order>() as isize || message.control_count < head || control.count < head {
        return None;
    }
    let count = (control.count - head) / size_of::<c_int>();
    if count < 3 { None } else { control.files.get(..count) }
}

/// A copy of this process whose parent is ours. 0 in the copy.
unsafe fn copy() -> c_long {
    let flags = CLONE_PARENT | c_long::from(SIGCHLD);
    // SAFETY: a plain copy with its own memory; the address is the C library's, or none.
    unsafe {
        let thread = THREAD;
        let flags = if thread == 0 { flags } else { flags | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID };
        #[cfg(target_arch = "x86_64")]
        return syscall(SYS_CLONE, flags, 0usize, 0usize, thread, 0usize);
        #[cfg(target_arch = "aarch64")]
        return syscall(SYS_CLONE, flags, 0usize, 0usize, 0usize, thread);
    }
}

/// What a copy does before it goes on as the program.
unsafe fn become_own(order: &Order, files: &[c_int]) {
    // SAFETY: system calls, and a write into this copy's own environment, which no other thread reads.
    unsafe {
        setpgid(0, 0);
        signal(SIGUSR2, 0);
        let mark = MARK;
        for (n, digit) in order.digits.iter().enumerate() {
            *mark.add(n) = *digit;
        }
        for (n, &file) in files.iter().enumerate() {
            let place = if n < 3 { n as c_int } else { order.place };
            dup2(file, place);
            if file != place {
                close(file);
            }
        }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the process.
    unsafe { _exit(127) }
}
