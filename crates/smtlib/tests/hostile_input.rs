//! Hostile input: the parser always returns a result or an error with a position, in time that grows linearly with the
//! length, on a small stack; and the result can be dropped on a small stack too.

#![allow(clippy::unwrap_used)]

use smtlib::printer::{Format, print};
use smtlib::{Error, ErrorKind, ReadLimits, Script};
use std::time::{Duration, Instant};

const MILLION: usize = 1_000_000;

/// Runs on a stack that one recursion per parenthesis would overflow.
fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap()
}

/// Parses, and drops the result, on a small stack; returns the outcome.
fn outcome(source: Vec<u8>, limits: ReadLimits) -> (Result<usize, Error>, Vec<u8>) {
    on_a_small_stack(move || {
        let result = Script::parse_with(&source, limits).map(|script| script.pool.len());
        (result, source)
    })
}

fn error(source: Vec<u8>) -> (Error, String) {
    let (result, source) = outcome(source, ReadLimits::default());
    let error = result.err().unwrap();
    let shown = error.render("hostile.smt2", &source);
    assert!(shown.len() < 2_000, "a message of {} bytes", shown.len());
    (error, shown)
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> Vec<u8> {
    let mut source = open.repeat(depth).into_bytes();
    source.extend_from_slice(inner.as_bytes());
    source.extend_from_slice(close.repeat(depth).as_bytes());
    source
}

fn wrapped(before: &str, term: &[u8], after: &str) -> Vec<u8> {
    [before.as_bytes(), term, after.as_bytes()].concat()
}

#[test]
fn a_million_nested_constructs_of_every_kind_stop_at_the_limit() {
    let kinds = [
        ("(not ", "true", ")"),
        ("(let ((x true)) ", "x", ")"),
        ("(let ((x ", "true", ")) x)"),
        ("(forall ((x Int)) ", "true", ")"),
        ("(! ", "true", " :weight 1)"),
        ("(", "f", ")"),
        ("((", "f", "))"),
        ("(match ", "x", " ((y true)))"),
        ("(ite true ", "true", " false)"),
        ("(_ ", "f", " x)"),
    ];
    for (open, inner, close) in kinds {
        let source = wrapped("(assert ", &nested(open, inner, close, MILLION), ")");
        let (error, shown) = error(source);
        assert!(matches!(error.kind, ErrorKind::TooDeep { .. }), "{open}: {shown}");
        assert!(shown.contains("hint: "), "{shown}");
    }
}

#[test]
fn a_million_nested_sorts_stop_at_the_limit() {
    let source = wrapped("(declare-const x ", &nested("(Array Int ", "Int", ")", MILLION), ")");
    assert!(matches!(error(source).0.kind, ErrorKind::TooDeep { .. }));
}

#[test]
fn text_that_is_kept_unparsed_may_be_nested_arbitrarily_deep() {
    for (before, after) in [("(set-info :x ", ")"), ("(some-command ", ")"), ("(assert (! true :note ", "))")]
    {
        let source = wrapped(before, &nested("(", "a", ")", MILLION), after);
        assert!(outcome(source, ReadLimits::default()).0.is_ok(), "{before}");
    }
}

#[test]
fn with_a_higher_limit_a_million_levels_are_read_printed_read_again_and_dropped() {
    let limits = ReadLimits { depth: 2 * MILLION, ..ReadLimits::default() };
    let source = wrapped("(assert ", &nested("(not ", "true", ")", MILLION), ")");
    on_a_small_stack(move || {
        let script = Script::parse_with(&source, limits).unwrap();
        for format in [Format::Faithful, Format::Canonical] {
            assert!(smtlib::round_trip::check(&script, format, limits).is_ok());
        }
        let root = script.assertions().next().unwrap();
        assert_eq!(script.pool.subterms(root).len(), MILLION + 1);
        drop(script.clone());
    });
}

#[test]
fn a_deep_nest_that_is_never_closed_is_an_error_at_its_innermost_parenthesis() {
    let source = "(assert ".to_owned() + &"(not ".repeat(50_000);
    let (error, _) = error(source.into_bytes());
    assert_eq!(error.kind, ErrorKind::UnclosedParenthesis);
    assert_eq!(error.span.start as usize, 8 + 49_999 * 5);
}

#[test]
fn numbers_of_two_million_digits_are_over_the_limit() {
    let digits = "7".repeat(2 * MILLION);
    for (before, after) in [
        ("(assert (= 1 ", "))"),
        ("(assert (= 1.0 ", ".5))"),
        ("(assert (= 1.0 0.", "))"),
        ("(assert (= #x", " #x0))"),
        ("(assert (= (_ bv", " 8) #x00))"),
        ("(declare-const x (_ BitVec ", "))"),
        ("(declare-const x (_ FiniteField ", "))"),
        ("(assert (= ((_ extract ", " 0) #x00) #x00))"),
        ("(push ", ")"),
        ("(assert (= #f", "m7 #f1m7))"),
    ] {
        let begun = Instant::now();
        let (error, _) = error(wrapped(before, digits.as_bytes(), after));
        assert!(begun.elapsed() < Duration::from_secs(20), "{before}: {:?}", begun.elapsed());
        let is_limit = matches!(
            *error,
            smtlib::error::Details {
                kind: ErrorKind::TooManyDigits { .. }
                    | ErrorKind::TooWide { .. }
                    | ErrorKind::TooLarge { .. },
                ..
            }
        );
        let is_mistake = before.contains("extract");
        assert!(is_limit || is_mistake, "{before}: {}", error.kind);
    }
}

#[test]
fn the_widest_bit_vector_of_32_bits_is_over_the_limit() {
    let (error, shown) = error(b"(assert (= (_ bv0 4294967295) (_ bv0 4294967295)))".to_vec());
    assert!(matches!(error.kind, ErrorKind::TooWide { .. }), "{shown}");
}

#[test]
fn repetition_cannot_make_a_width_beyond_the_limit() {
    let mut source = "(declare-const x (_ BitVec 1000000))".to_owned();
    source += "(assert (= (concat x x) (concat x x)))";
    assert!(matches!(error(source.into_bytes()).0.kind, ErrorKind::TooWide { .. }));
}

#[test]
fn nul_bytes_unterminated_strings_and_symbols_are_errors_with_a_position() {
    for (source, line, column) in [
        ("(check-sat)\n\0", 2, 1),
        ("(assert (= \"a\" \"b))\n", 1, 16),
        ("\n(declare-const |x Int)\n(check-sat)\n", 2, 16),
        ("(assert (= \"a\" \"b\"\"))\n", 1, 16),
    ] {
        let error = Script::parse(source.as_bytes()).err().unwrap();
        let place = error.position(source.as_bytes());
        assert_eq!((place.line, place.column), (line, column), "{source:?}: {error}");
    }
}

#[test]
fn an_empty_file_is_an_empty_script() {
    for source in ["", "\n\n", "; only a comment", "; a comment\n\n;another"] {
        let script = Script::parse(source.as_bytes()).unwrap();
        assert!(script.commands.is_empty());
        assert!(print(&script, Format::Canonical).is_empty());
    }
}

#[test]
fn of_megabytes_without_a_line_end_only_the_part_around_the_error_is_shown() {
    let mut source = "(assert (and".to_owned() + &" true".repeat(MILLION);
    source += " oops";
    source += &" true".repeat(MILLION);
    source += "))";
    let begun = Instant::now();
    let (_, shown) = error(source.into_bytes());
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(shown.contains(" oops "), "{shown}");
}

#[test]
fn a_name_of_megabytes_does_not_make_a_message_of_megabytes() {
    let name = "n".repeat(2 * MILLION);
    error(format!("(assert {name})").into_bytes());
    error(format!("(declare-const x {name})").into_bytes());
    error(format!("(declare-const {name} Int)(declare-const {name} Int)").into_bytes());
    error(format!("(assert (= \"{name}\" 1))").into_bytes());
    error(format!("(declare-const {name} Int)(assert {name})").into_bytes());
    error(format!("(declare-fun {name} (Int) Int)(assert ({name} true))").into_bytes());
}

#[test]
fn wide_input_takes_linear_time() {
    let wide = |n: usize| {
        let lets: String = (0..n).map(|i| format!("(x{i} {i})")).collect();
        let vars: String = (0..n).map(|i| format!("(y{i} Int)")).collect();
        let many: String = (0..n).map(|i| format!("(declare-const c{i} Int)(assert (= c{i} {i}))")).collect();
        format!("(assert (let ({lets}) (forall ({vars}) (= x0 y0)))){many}").into_bytes()
    };
    let time = |n: usize| {
        let source = wide(n);
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let begun = testkit::processor_time();
            assert!(Script::parse(&source).is_ok());
            best = best.min(testkit::processor_time().saturating_sub(begun));
        }
        best
    };
    let (small, large) = (time(4_000), time(64_000));
    // Quadratic time would be a factor of 256; a busy machine may cause a factor of 100 even in processor time.
    assert!(large < small * 180, "4,000: {small:?}, 64,000: {large:?}");
}

#[test]
fn sorts_that_are_too_large_after_expansion_are_refused() {
    let chain = |step: &str, levels: usize| {
        let mut source = String::from("(define-sort D0 () Int)\n");
        for n in 0..levels {
            let inner = format!("D{n}");
            source.push_str(&format!("(define-sort D{} () {})\n", n + 1, step.replace("INNER", &inner)));
        }
        source.push_str(&format!("(declare-const x D{levels})"));
        source.into_bytes()
    };
    for (step, levels) in [("(Array INNER INNER)", 60), ("(Tuple INNER INNER)", 60), ("(Seq INNER)", 100_000)]
    {
        assert!(matches!(error(chain(step, levels)).0.kind, ErrorKind::TooLarge { .. }), "{step}");
    }
    assert!(outcome(chain("(Array INNER INNER)", 10), ReadLimits::default()).0.is_ok());
    // Here an operator makes the sorts.
    let units = nested("(seq.unit ", "1", ")", 50_000);
    let source = wrapped("(set-logic ALL)(assert (= 1 (seq.len ", &units, ")))");
    assert!(matches!(error(source).0.kind, ErrorKind::TooLarge { .. }));
}

#[test]
fn too_many_levels_are_refused() {
    let source = "(push 1000000)(pop 1000000)(push 600000)(push 600000)".to_owned();
    assert!(matches!(error(source.into_bytes()).0.kind, ErrorKind::TooLarge { .. }));
}
