//! The terminal: how large it is, and that typed keys do not disturb what is painted.
//!
//! Echo is switched off while a hunt paints, only on a terminal that this process has in the foreground, and on again at
//! every end that a program can see: the normal one, an interrupt, a second interrupt.

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether we have switched echo off.
static SILENCED: AtomicBool = AtomicBool::new(false);

/// Width and height of the terminal behind standard error, at least 40 by 5: with less, lines are cut.
pub fn size() -> (usize, usize) {
    let size = tcgetwinsize(std::io::stderr()).ok();
    let (width, height) = size.map_or((80, 24), |size| (usize::from(size.ws_col), usize::from(size.ws_row)));
    (if width == 0 { 80 } else { width }, if height == 0 { 24 } else { height })
}

/// Switches echo off. Does nothing in the background, where the system would stop us.
pub fn silence_keys() {
    let input = std::io::stdin();
    let in_front = tcgetpgrp(&input).is_ok_and(|group| group == rustix::process::getpgrp());
    if in_front && !SILENCED.swap(true, Ordering::SeqCst) {
        set_echo(false);
        campaign::interrupt::before_exit(restore);
    }
}

/// Switches echo on again, if it was switched off here.
pub fn restore() {
    if SILENCED.swap(false, Ordering::SeqCst) {
        set_echo(true);
    }
}

fn set_echo(on: bool) {
    let input = std::io::stdin();
    if let Ok(mut modes) = tcgetattr(&input) {
        modes.local_modes.set(LocalModes::ECHO, on);
        let _ = tcsetattr(&input, OptionalActions::Now, &modes);
    }
}
