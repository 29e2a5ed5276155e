//! Real crashes of small programs, and the places that are found for them.

#![allow(clippy::unwrap_used)]

use autopsy::{TraceLimits, examine, is_allowed, place};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const PROGRAM: &str = r#"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define DEEP __attribute__((noinline, noclone))
volatile int *nowhere = 0;
volatile int *anywhere = (volatile int *)0x305000003000;
volatile int *impossible = (volatile int *)0x7fff000000000000;
void (*volatile nobody)(void) = 0;
volatile int depth = 0;
DEEP int innermost(int n) { return n + *nowhere; }
DEEP int strays(int n) { return n + *anywhere; }
DEEP int strays_far(int n) { return n + *impossible; }
DEEP int middle(int n) { return innermost(n + 1) + 1; }
DEEP int outer(int n) { return middle(n + 1) + 2; }
DEEP int ping(int n);
DEEP int pong(int n) { volatile char room[200]; room[n % 200] = 1; return ping(n + 1) + room[0] + depth; }
DEEP int ping(int n) { volatile char room[100]; room[n % 100] = 1; return pong(n + 1) + room[0] + depth; }
DEEP int calls_nobody(int n) { nobody(); return n + depth; }
DEEP int gives_up(int n) { if (n > 0) abort(); return n; }
DEEP int refuses(int n) { return gives_up(n) + 1; }
void *in_thread(void *unused) { (void)unused; outer(3); return 0; }
void *in_thread_later(void *unused) { usleep(20000); return in_thread(unused); }
void *idle(void *unused) { sleep(60); return unused; }
void caught(int signal) { (void)signal; abort(); }
int main(int count, char **words) {
    const char *how = count > 1 ? words[1] : "";
    if (!strcmp(how, "fault")) return outer(count);
    if (!strcmp(how, "wild")) return strays(count);
    if (!strcmp(how, "far")) return strays_far(count);
    if (!strcmp(how, "sent")) { raise(SIGSEGV); return 4; }
    if (!strcmp(how, "abort")) return refuses(count);
    if (!strcmp(how, "recursion")) return ping(count);
    if (!strcmp(how, "nobody")) return calls_nobody(count);
    if (!strcmp(how, "caught")) { signal(SIGSEGV, caught); return outer(count); }
    if (!strcmp(how, "thread")) { pthread_t t; pthread_create(&t, 0, in_thread, 0); pthread_join(t, 0); }
    if (!strcmp(how, "births")) {
        pthread_t t;
        pthread_create(&t, 0, in_thread_later, 0);
        for (;;) { pthread_create(&t, 0, idle, 0); if (!fork()) sleep(60); usleep(200); }
    }
    if (!strcmp(how, "sleep")) sleep(60);
    return 3;
}
"#;

/// The program in a folder of its own; `cc` is the linker that Rust uses.
fn program(options: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("crash.c"), folder.path().join("crash"));
    std::fs::write(&source, PROGRAM).unwrap();
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-fno-optimize-sibling-calls", "-pthread"]).args(options);
    assert!(compile.arg("-o").arg(&program).arg(&source).status().unwrap().success());
    (folder, program)
}

fn limits() -> TraceLimits<'static> {
    TraceLimits { wall: Duration::from_secs(20), memory: None, stop: &|| false, prepare: &|| Ok(()) }
}

fn seen(program: &Path, how: &str) -> Option<String> {
    let mut command = Command::new(program);
    command.arg(how);
    place(&examine(command, limits())?, &[])
}

static STAGE: Mutex<()> = Mutex::new(());

/// One test at a time, so that leftovers have one possible cause. Where tracing is not permitted nothing can be tested;
/// that is printed and does not fail the test.
fn stage() -> Option<MutexGuard<'static, ()>> {
    let stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
    if !is_allowed() {
        testkit::tell("tracing is not allowed here");
        return None;
    }
    Some(stage)
}

#[test]
fn the_place_of_a_crash_is_where_it_happens() {
    let Some(_stage) = stage() else { return };
    let (_folder, program) = program(&[]);
    let at = "innermost, from middle, from outer";
    assert_eq!(seen(&program, "fault").as_deref(), Some(at));
    assert_eq!(seen(&program, "thread").as_deref(), Some("innermost, from middle, from outer"));
    assert_eq!(
        seen(&program, "caught").as_deref(),
        Some(at),
        "where it broke, not where it printed the message"
    );
    assert_eq!(seen(&program, "abort").as_deref(), Some("gives_up, from refuses"));
    assert_eq!(seen(&program, "nobody").as_deref(), Some("calls_nobody"));
    assert_eq!(seen(&program, "recursion").as_deref(), Some("endless recursion of ping, pong"));
}

#[test]
fn a_pointer_that_is_neither_null_nor_valid_is_told_from_a_null_pointer() {
    let Some(_stage) = stage() else { return };
    let (_folder, program) = program(&[]);
    let wild = |how: &str| {
        let mut command = Command::new(&program);
        command.arg(how);
        examine(command, limits()).unwrap().wild
    };
    let ways = ["wild", "far", "fault", "recursion", "abort", "sent"];
    assert_eq!(ways.map(wild), [true, true, false, false, false, false]);
}

#[test]
fn a_crash_below_a_wrapper_is_found() {
    let Some(_stage) = stage() else { return };
    let (_folder, program) = program(&[]);
    let mut wrapped = Command::new("/bin/sh");
    wrapped.arg("-c").arg("\"$0\" fault; exit $?").arg(&program);
    let stack = examine(wrapped, limits()).unwrap();
    assert_eq!(place(&stack, &[]).as_deref(), Some("innermost, from middle, from outer"));
}

/// Processes that start while their parent dies are ended with it.
#[test]
fn processes_that_start_during_a_crash_are_ended_too() {
    let Some(_stage) = stage() else { return };
    let (_folder, program) = program(&[]);
    for _ in 0..5 {
        let at = seen(&program, "births");
        assert_eq!(at.as_deref(), Some("innermost, from middle, from outer"));
        let is_ours = |entry: &std::fs::DirEntry| {
            std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program)
        };
        let left = std::fs::read_dir("/proc").unwrap().flatten().filter(is_ours).count();
        assert_eq!((left, testkit::zombie_children()), (0, vec![]));
    }
}

#[test]
fn a_program_without_symbols_gives_the_same_places_every_time() {
    let Some(_stage) = stage() else { return };
    let (_folder, program) = program(&["-s"]);
    let place = seen(&program, "fault").unwrap();
    assert_eq!(place.matches("crash+0x").count(), 3, "{place}");
    assert_eq!(seen(&program, "fault"), Some(place));
}

#[test]
fn a_process_that_does_not_crash_gives_no_place_and_one_that_hangs_is_ended() {
    let Some(_stage) = stage() else { return };
    let (_folder, program) = program(&[]);
    assert_eq!(seen(&program, "nothing"), None);
    assert!(examine(Command::new("/no/such/program"), limits()).is_none());
    let mut sleeper = Command::new(&program);
    sleeper.arg("sleep");
    let began = Instant::now();
    assert!(examine(sleeper, TraceLimits { wall: Duration::from_millis(200), ..limits() }).is_none());
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(testkit::zombie_children(), Vec::<i32>::new());
}
