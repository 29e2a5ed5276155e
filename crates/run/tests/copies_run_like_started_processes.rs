//! A copy of a program that waits for its input behaves like one that was started, and a program that cannot be copied is
//! turned down.

use run::{Error, Exit, Host, Limits, Opening, Original, Spec, Why, library};
use std::path::PathBuf;
use std::time::Duration;

/// The library in a file.
fn preload(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("copies.so");
    std::fs::write(&path, library()).expect("a writable folder");
    path
}

fn shell(folder: &tempfile::TempDir, text: &str, answer: &str) -> Result<Host, Error> {
    let spec = Spec::new("/bin/sh").wall(Duration::from_secs(20));
    let library = preload(folder);
    let (text, answer) = (text.as_bytes(), answer.as_bytes());
    Host::start(&spec, &Opening { library: &library, original: Original::Stdin, text, answer })
}

#[test]
fn every_copy_goes_on_where_the_original_stands_and_none_notices_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = shell(&folder, "x=3; echo ready\n", "ready\n").unwrap();
    for n in 0..20 {
        let script = format!("x=$((x + {n})); echo $x; echo wrong >&2; exit {n}\n");
        let outcome = host.copy(script.as_bytes(), &Limits::default(), None).unwrap().finish();
        assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Code(n)));
        assert_eq!(outcome.stdout.text(), format!("{}\n", 3 + n), "what a copy does stays in it");
        assert_eq!(outcome.stderr.text(), "wrong\n");
        assert_eq!(outcome.leak, run::Leak::default());
    }
}

#[test]
fn a_copy_that_dies_or_runs_into_a_limit_is_told_apart_and_the_original_serves_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = shell(&folder, "", "").unwrap();
    let mut run =
        |script: &str, limits: &Limits| host.copy(script.as_bytes(), limits, None).unwrap().finish();
    let usual = Limits::default();
    assert_eq!(run("sh -c 'kill -SEGV $PPID'; sleep 5\n", &usual).exit, Exit::Signal(11));
    let wall = Limits { wall: Some(Duration::from_millis(200)), ..Limits::default() };
    assert_eq!(run("sleep 30\n", &wall).why, Why::Wall);
    let cpu = Limits { cpu: Some(Duration::from_millis(100)), ..Limits::default() };
    let spun = run("while :; do :; done\n", &cpu);
    assert!(spun.why == Why::Cpu && spun.cpu >= Duration::from_millis(100), "{spun:?}");
    assert_eq!(run("sleep 30 & exit 0\n", &usual).leak.killed.len(), 1, "what it leaves behind is found");
    assert_eq!(run("echo still here\n", &usual).stdout.text(), "still here\n");
}

#[test]
fn a_copy_can_be_asked_many_times() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = shell(&folder, "x=3\n", "").unwrap();
    let mut first = host.interactive(&Limits::default(), None).unwrap();
    let mut second = host.interactive(&Limits::default(), None).unwrap();
    first.ask(b"x=4; echo done\n", run::until_line("done"));
    for (process, expected) in [(&mut first, "4\n"), (&mut second, "3\n")] {
        let reply = process.ask(b"echo $x; echo done\n", run::until_line("done"));
        assert_eq!(reply, run::Reply::Complete(expected.as_bytes().to_vec()));
    }
    assert_eq!(first.finish().exit, Exit::Code(0));
    assert_eq!(second.kill().why, Why::Cancelled);
}

#[test]
fn an_input_that_is_an_argument_is_replaced_by_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input");
    let library = preload(&folder);
    let opening =
        Opening { library: &library, original: Original::Argument(&input), text: b"one\n", answer: b"one\n" };
    let mut host = Host::start(&Spec::new("/bin/cat").wall(Duration::from_secs(20)), &opening).unwrap();
    assert!(!input.exists(), "the pipe has no name any more");
    let long = vec![b'x'; 300_000];
    for text in [&b"two\n"[..], b"", &long] {
        let outcome = host.copy(text, &Limits::default(), None).unwrap().finish();
        assert_eq!((outcome.exit, outcome.stdout.bytes().as_ref()), (Exit::Code(0), text));
    }
}

#[test]
fn copies_carry_marks_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = shell(&folder, "", "").unwrap();
    let mut mark = || {
        let script = b"exec 3< /proc/self/environ; tr '\\0' '\\n' <&3 | grep ^FALSUM_RUN\n";
        host.copy(script, &Limits::default(), None).unwrap().finish().stdout.text().to_string()
    };
    let (one, two) = (mark(), mark());
    assert!(one.starts_with("FALSUM_RUN=") && one.len() == two.len() && one != two, "{one}{two}");
}

#[test]
fn what_cannot_be_copied_is_turned_down_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str, answer: &str| match shell(&folder, text, answer) {
        Err(Error::NoOriginal { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert!(refused("exit 3\n", "ready\n").contains("ended before"));
    assert!(refused("echo unasked; echo ready\n", "ready\n").contains("it said"));
    assert!(refused("exec 7< /dev/zero; echo ready\n", "ready\n").contains("opened /dev/zero"));
    assert!(refused("sleep 20 & echo ready\n", "ready\n").contains("started other processes"));
    let nothing = Opening {
        library: std::path::Path::new("/nowhere/copies.so"),
        original: Original::Stdin,
        text: b"echo ready\n",
        answer: b"ready\n",
    };
    let host = Host::start(&Spec::new("/bin/sh").wall(Duration::from_secs(20)), &nothing);
    assert!(matches!(host, Err(Error::NoOriginal { .. })), "without the library nothing answers");
}

#[test]
fn a_dead_original_is_an_error_and_not_the_end_of_a_case() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = shell(&folder, "", "").unwrap();
    let parent = "sh -c 'kill -9 '$$\n";
    let outcome = host.copy(parent.as_bytes(), &Limits::default(), None).unwrap().finish();
    assert_eq!(outcome.exit, Exit::Code(0), "$$ is still the original's number, which is what dies");
    assert!(host.copy(b"", &Limits::default(), None).is_err());
}
