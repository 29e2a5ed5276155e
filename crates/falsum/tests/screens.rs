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
        |line: &str| line.starts_with("reduced ") || line.contains("s  cases ") && !line.contains("cases 3");
    let lines = text.lines().filter(|line| !is_interim(line)).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let mut shown: Vec<&str> = vec![];
        // The first number in a target's row of a hunt is its speed.
        let is_row = words[0] == "liar" && words.contains(&"%");
        let second = 1 + words.iter().skip(1).position(|word| !word.is_empty()).unwrap_or(0);
        for (n, word) in words.iter().enumerate() {
            let measured = word.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit())
                && (word.contains("/s") || word.contains('.') || word.contains(':') || word.ends_with('s'));
            let counted = n > 0 && (words[n - 1] == "solvers" || is_row && n == second);
            shown.push(if measured || counted { "[time]" } else { word });
        }
        // Columns move with the width of a number.
        shown.retain(|word| !word.is_empty());
        shown.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
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
