//! What a user sees of a campaign, as snapshots: the lines of a hunt, `status`, `report` and the commands listed for
//! findings. The solver always says unsat, so every number but the times is the same on every machine.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{fake_z3, falsum_in};
use std::path::Path;

const SEEDS: [&str; 3] = [
    "(set-info :status sat)\n(declare-const x (_ BitVec 4))\n(assert (= (bvmul x x) #x1))\n(check-sat)\n",
    "(set-info :status sat)\n(declare-const p Bool)\n(declare-const q Bool)\n(assert (xor p q))\n(check-sat)\n",
    "(set-info :status unsat)\n(declare-const p Bool)\n(assert (and p (not p)))\n(check-sat)\n",
];

/// The text with everything replaced that another run would print differently: times, speeds, dates, folders.
fn steady(folder: &Path, text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).replace(&*folder.to_string_lossy(), "[folder]");
    // How often progress is printed, and when a reduction beside the hunt ends, depends on the machine.
    let is_interim =
        |line: &str| line.starts_with("triaged ") || line.contains("s  cases ") && !line.contains("cases 3");
    let lines = text.lines().filter(|line| !is_interim(line)).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let mut shown: Vec<&str> = vec![];
        // The first number in a target's row of a hunt is its speed.
        let is_row = words[0] == "liar" && words.contains(&"%");
        let second = 1 + words.iter().skip(1).position(|word| !word.is_empty()).unwrap_or(0);
        for (n, word) in words.iter().enumerate() {
            let measured = word.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit())
                && (word.contains("/s") || word.contains('.') || word.contains(':') || word.ends_with('s'));
            let counted = n > 0 && (words[n - 1] == "solvers" || is_row && n == second)
                || words[0] == "workers:" && word.starts_with(|c: char| c.is_ascii_digit());
            shown.push(if measured || counted { "[time]" } else { word });
        }
        // Columns move with the width of a number.
        shown.retain(|word| !word.is_empty());
        shown.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What a terminal shows after these bytes, and everything that has scrolled out of it.
struct Terminal {
    size: (usize, usize),
    lines: Vec<String>,
    row: usize,
    col: usize,
}

impl Terminal {
    fn showing(bytes: &[u8], rows: usize, cols: usize) -> Terminal {
        let mut terminal = Terminal { size: (rows, cols), lines: vec![String::new()], row: 0, col: 0 };
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\x1b' if chars.peek() == Some(&'[') => {
                    chars.next();
                    let mut parameter = String::new();
                    let last = loop {
                        match chars.next() {
                            Some(c) if c.is_ascii_digit() || ";?".contains(c) => parameter.push(c),
                            other => break other,
                        }
                    };
                    terminal.control(last.unwrap_or('?'), &parameter);
                }
                '\r' => terminal.col = 0,
                '\n' => terminal.down(),
                c => terminal.put(c),
            }
        }
        terminal
    }

    fn down(&mut self) {
        self.row += 1;
        if self.row == self.lines.len() {
            self.lines.push(String::new());
        }
    }

    fn put(&mut self, c: char) {
        assert!(self.col < self.size.1, "a line is longer than the terminal: {}", self.lines[self.row]);
        let mut line: Vec<char> = self.lines[self.row].chars().collect();
        line.resize(line.len().max(self.col + 1), ' ');
        line[self.col] = c;
        self.lines[self.row] = line.into_iter().collect();
        self.col += 1;
    }

    fn control(&mut self, last: char, parameter: &str) {
        let top = self.lines.len().saturating_sub(self.size.0);
        match last {
            // The cursor cannot leave the visible part.
            'A' => self.row = self.row.saturating_sub(parameter.parse().unwrap_or(1)).max(top),
            'J' => {
                let kept: String = self.lines[self.row].chars().take(self.col).collect();
                self.lines[self.row] = kept;
                self.lines.truncate(self.row + 1);
            }
            'm' | 'h' | 'l' => {}
            other => panic!("an unexpected control sequence: {parameter}{other}"),
        }
    }

    /// The lines, with `#` for numbers and single blanks.
    fn steady(&self, lines: &[String]) -> String {
        let plain = |line: &String| {
            let mut out = String::new();
            for c in line.chars() {
                match c {
                    c if c.is_ascii_digit() && out.ends_with('#') => {}
                    ',' | '.' if out.ends_with('#') => {}
                    c if c.is_ascii_digit() => out.push('#'),
                    ' ' if out.ends_with(' ') => {}
                    c => out.push(c),
                }
            }
            let out = out.replace("#m#s", "#s").trim_end().to_owned();
            // Where a line is cut depends on the width of its numbers.
            match out.split_once(" · ").filter(|_| out.ends_with('…')) {
                Some((first, _)) => format!("{first} …"),
                None => out,
            }
        };
        lines.iter().map(plain).collect::<Vec<_>>().join("\n")
    }
}

/// A hunt in a terminal of a size: what it paints, what is left after Ctrl-C, and what the recorder says.
fn in_terminal(rows: usize, cols: usize) -> (String, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("seeds")).unwrap();
    std::fs::write(folder.path().join("seeds/0.smt2"), SEEDS[0]).unwrap();
    let solver = format!("dull={} --instant unknown", fake_z3(folder.path()).display());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal.py");
    let hunt =
        "hunt seeds --strategy seeds,opswap --for 120s --key screens --schedule fixed -j 1 --out out -s";
    let out = folder.path().join("recorded").display().to_string();
    // Where there is room for the table of strategies, the row of the second one.
    let marker = if rows > 20 { "opswap    " } else { "cases" };
    let recorded = std::process::Command::new("python3")
        .arg(script)
        .args([&rows.to_string(), &cols.to_string(), marker, &out, env!("CARGO_BIN_EXE_falsum")])
        .args(hunt.split(' ').chain([solver.as_str()]))
        .current_dir(folder.path())
        .env("FALSUM_HOME", machine::home())
        .env("TERM", "xterm")
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{}", String::from_utf8_lossy(&recorded.stderr));
    let read = |end: &str| {
        let bytes = std::fs::read(format!("{out}.{end}")).unwrap();
        // Lines that stay may be longer than the terminal, which wraps them; only the frame must fit.
        // The recorder makes the terminal three rows higher for a while.
        let rows = if end == "frame" { rows } else { rows + 3 };
        Terminal::showing(&bytes, rows, if end == "frame" { cols.max(120) } else { 1000 })
    };
    let frame = read("frame");
    let first = frame.lines.iter().rposition(|line| line.contains('⊥')).unwrap();
    let painted: Vec<String> = frame.lines[first..].to_vec();
    assert!(painted.iter().all(|line| line.chars().count() <= cols), "{painted:?}");
    assert!(painted.len() <= rows, "{} lines in {rows} rows", painted.len());
    let end = read("end");
    let left = end.lines.iter().filter(|line| line.contains("hunting")).count();
    assert_eq!(left, 0, "painted lines are left behind:\n{}", end.lines.join("\n"));
    let place = folder.path().display().to_string();
    let last = end.lines.iter().skip_while(|line| !line.starts_with("strategy "));
    let last: Vec<String> = last.map(|line| line.replace(&place, "[folder]")).collect();
    let said = String::from_utf8_lossy(&recorded.stdout).trim().to_owned();
    (frame.steady(&painted), end.steady(&last), said)
}

#[test]
fn a_hunt_in_a_terminal_fits_at_every_size_and_leaves_nothing_behind() {
    let sizes = [(5, 40), (24, 80), (60, 200)];
    let threads = sizes.map(|(rows, cols)| std::thread::spawn(move || in_terminal(rows, cols)));
    for ((rows, cols), thread) in sizes.into_iter().zip(threads) {
        let (frame, end, said) = thread.join().unwrap();
        assert_eq!(said, "exit 130, echo while it painted: False, echo after it: True", "{rows} by {cols}");
        insta::assert_snapshot!(format!("terminal_{cols}x{rows}"), frame);
        insta::assert_snapshot!("terminal_after_interrupt", end);
    }
}

#[test]
fn the_screens_of_a_campaign_match_their_snapshots() {
    let folder = tempfile::tempdir().unwrap();
    let seeds = folder.path().join("seeds");
    std::fs::create_dir(&seeds).unwrap();
    for (n, seed) in SEEDS.iter().enumerate() {
        std::fs::write(seeds.join(format!("{n}.smt2")), seed).unwrap();
    }
    let liar = format!("liar={} --instant unsat", fake_z3(folder.path()).display());
    let words = "hunt seeds --strategy seeds --cases 3 --key screens --schedule fixed -j 1 --out out -s";
    let args: Vec<&str> = words.split(' ').chain([liar.as_str()]).collect();
    let hunt = falsum_in(folder.path(), &args);
    assert_eq!(hunt.status.code(), Some(10), "{}", String::from_utf8_lossy(&hunt.stderr));
    let screen = |args: &[&str]| {
        let output = falsum_in(folder.path(), args);
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        steady(folder.path(), &output.stdout)
    };
    insta::assert_snapshot!("hunt_out", steady(folder.path(), &hunt.stdout));
    insta::assert_snapshot!("hunt_err", steady(folder.path(), &hunt.stderr));
    insta::assert_snapshot!("status", screen(&["status", "out"]));
    insta::assert_snapshot!("report", screen(&["report", "out"]));
}
