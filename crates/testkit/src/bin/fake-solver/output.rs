//! Bad output: floods and garbage.

use std::io::Write;

pub fn say(text: &str) {
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Megabytes on standard output without a newline, until the reader is gone.
pub fn flood_stdout(megabytes: u64) {
    flood(&mut std::io::stdout(), megabytes, b'x');
}

pub fn flood_stderr(megabytes: u64) {
    flood(&mut std::io::stderr(), megabytes, b'e');
}

fn flood(to: &mut impl Write, megabytes: u64, byte: u8) {
    let started = std::time::Instant::now();
    let chunk = vec![byte; 64 << 10];
    for _ in 0..megabytes * 16 {
        if started.elapsed().as_secs() > 30 || to.write_all(&chunk).is_err() {
            return;
        }
    }
}

/// Invalid UTF-8, escape sequences, NUL.
pub fn garbage() {
    let mut out = std::io::stdout();
    let _ = out.write_all(b"\xff\xfe\x00sat\x00\x1b[31mred\x1b[0m\xc3\x28\n");
    let _ = out.flush();
}

/// The environment and the working directory, one entry per line.
pub fn environment() {
    let folder = std::env::current_dir().unwrap_or_default();
    say(&format!("cwd={}\n", folder.display()));
    std::env::vars_os().for_each(|(n, v)| say(&format!("{}={}\n", n.display(), v.display())));
}
