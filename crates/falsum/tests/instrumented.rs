//! `solvers add --coverage` on a stand-in of a few lines: download, unpack, probe the compiler, configure, build, interrupted
//! and continued, verify, publish; then its coverage. Everything is as for z3, but that the package client, CMake and ninja
//! are short scripts. The compiler, its counters and the runtime are real: clang's if there is one, else gcc's.

#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// It answers the three queries of an installation, and has a function that few formulas reach.
const SOLVER: &str = r#"
#include <stdio.h>
#include <string.h>
static char text[1 << 16];
int is_contradiction() {
    return strstr(text, "x02") != 0;
}
void rarely() {
    puts("; rare");
}
int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file) return 1;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    if (strstr(text, "rare"))
        rarely();
    puts(is_contradiction() ? "unsat" : "sat");
    if (strstr(text, "get-value"))
        puts("((x #x03))");
    return 0;
}
"#;

/// Stands in for `python3`: pip hands out one archive and two tools, and notes what it was asked for.
const CLIENT: &str = r#"#!/bin/sh
here=$(dirname "$0")
case "$*" in
*sys.executable*) echo "$0" ;;
*tarfile*) tar xzf "$4" -C "$5" ;;
*" download "*)
    echo download >> "$here/asked"
    while [ "$1" != --dest ]; do shift; done
    cp "$here/source.tar.gz" "$2" ;;
*" install "*)
    echo install >> "$here/asked"
    while [ "$1" != --target ]; do shift; done
    mkdir -p "$2/bin" && cp "$here/cmake" "$here/ninja" "$2/bin" ;;
esac
"#;

/// Stands in for CMake: writes the one command of the build.
const CMAKE: &str = r#"#!/bin/sh
source=$4 build=$6
for word in "$@"; do
    case "$word" in
    -DCMAKE_CXX_COMPILER=*) cxx=${word#*=} ;;
    -DCMAKE_CXX_FLAGS=*) flags=${word#*=} ;;
    -DCMAKE_EXE_LINKER_FLAGS=*) link=${word#*=} ;;
    esac
done
mkdir -p "$build"
echo "$cxx -O0 $flags -o $build/z3 $source/src/smt/solver.cpp $link" > "$build/build.ninja"
"#;

/// Stands in for ninja: is interrupted the first time.
const NINJA: &str = r#"#!/bin/sh
build=$2
if [ "$3" = -n ]; then echo "[1/1] z3"; exit 0; fi
if [ ! -e "$build/begun" ]; then touch "$build/begun"; echo "solver.cpp:1:1: error: interrupted"; exit 1; fi
sh "$build/build.ninja" && echo done > "$build/.ninja_log"
"#;

struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        for (name, text) in [("python", CLIENT), ("cmake", CMAKE), ("ninja", NINJA)] {
            std::fs::write(here.join(name), text).unwrap();
            std::fs::set_permissions(here.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let source = here.join("z3_solver-5.4.0.0/core/src/smt");
        std::fs::create_dir_all(&source).unwrap();
        std::fs::write(source.join("solver.cpp"), SOLVER).unwrap();
        let packed = Command::new("tar")
            .args(["czf", "source.tar.gz", "z3_solver-5.4.0.0"])
            .current_dir(here)
            .status();
        assert!(packed.unwrap().success());
        Machine { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn falsum(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_falsum"));
        command.args(args).current_dir(self.folder.path());
        command.env("FALSUM_HOME", self.path("home")).env("FALSUM_PYTHON", self.path("python"));
        command.output().unwrap()
    }

    fn said(&self, args: &[&str]) -> String {
        let output = self.falsum(args);
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

fn formulas(folder: &Path, name: &str, texts: &[&str]) {
    std::fs::create_dir(folder.join(name)).unwrap();
    for (n, text) in texts.iter().enumerate() {
        std::fs::write(folder.join(name).join(format!("{n}.smt2")), text).unwrap();
    }
}

#[test]
fn an_interrupted_build_with_coverage_continues_and_its_lines_functions_and_blocks_are_counted() {
    let machine = Machine::new();
    let missing = machine.said(&["coverage", ".", "-s", "z3@5.4.0+coverage"]);
    assert!(missing.contains("falsum solvers add z3@5.4.0 --coverage"), "{missing}");
    let first = machine.said(&["solvers", "add", "z3@5.4.0", "--coverage", "-j1"]);
    if first.contains("no C++ compiler was found") {
        return testkit::tell("there is no C++ compiler that can build with coverage");
    }
    assert!(first.contains("compiling failed: solver.cpp:1:1: error: interrupted"), "{first}");
    assert!(first.contains("continues where the build stopped"), "{first}");
    let second = machine.said(&["solvers", "add", "z3@5.4.0", "--coverage"]);
    assert!(second.contains("z3@5.4.0+coverage: installed"), "{second}");
    assert!(!second.contains("configuring") && !second.contains("downloading"), "{second}");
    assert!(machine.said(&["solvers", "add", "z3@5.4.0+coverage"]).contains("is installed"));
    let asked = std::fs::read_to_string(machine.path("asked")).unwrap();
    assert_eq!(asked, "download\ninstall\n", "everything is fetched once");
    // It is a release for those who name it, and for no others.
    assert!(machine.said(&["solvers", "list"]).contains("z3@5.4.0+coverage"));
    assert!(machine.said(&["solvers", "path", "z3@5.4.0+coverage"]).contains("instrumented/z3-5.4.0/z3"));
    assert!(!machine.falsum(&["solvers", "path", "z3@5.4.0"]).status.success());

    formulas(machine.folder.path(), "plain", &["(assert true)(check-sat)"]);
    formulas(machine.folder.path(), "both", &["(assert true)(check-sat)", "; rare x02\n(check-sat)"]);
    let output = machine.said(&["coverage", "plain", "both", "-o", "reach.json"]);
    let read = std::fs::read(machine.path("reach.json")).unwrap_or_else(|_| panic!("{output}"));
    let said: Value = serde_json::from_slice(&read).unwrap();
    let step = |set: usize, n: usize, what: &str| said[set]["steps"][n][what].as_u64().unwrap();
    assert_eq!((step(0, 0, "functions"), step(1, 1, "functions")), (2, 3), "{said}");
    assert_eq!(said[0]["functions"], 3, "main and two others: {said}");
    assert!(step(1, 1, "blocks") > step(1, 0, "blocks"), "{said}");
    // The call of `rarely`, and what it does.
    assert!(step(1, 1, "lines") >= step(1, 0, "lines") + 2, "{said}");
    let lines = said[1]["lines"].as_u64().unwrap();
    assert!((10..=18).contains(&lines) && step(1, 1, "lines") <= lines, "{said}");
    let parts = said[1]["parts"].as_array().unwrap();
    assert_eq!((parts.len(), &parts[0]["name"]), (1, &"src/smt".into()), "{said}");
    let table = machine.said(&["coverage", "both", "-s", "z3+coverage"]);
    assert!(table.contains("src/smt") && table.contains("3 of 3"), "{table}");
}

#[test]
fn a_solver_that_falsum_cannot_build_with_coverage_is_refused_with_a_reason() {
    let machine = Machine::new();
    let said = machine.said(&["solvers", "add", "cvc5@1.4.2", "--coverage"]);
    assert!(said.contains("`cvc5` cannot be built with coverage") && said.contains("hint"), "{said}");
}
