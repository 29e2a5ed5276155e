//! Large, deep and hard expressions: no stack overflow, no blow-up, and an error when a question takes too long.
#![allow(clippy::unwrap_used)]

use semantics::value::int::Int;
use semantics::value::regex::{Regex, RegexPool, ReplaceError, StepLimit};
use semantics::value::text::{MAX_CHAR, Text};

const DEEP: usize = 100_000;

fn word(s: &str) -> Regex {
    Regex::word(Text::from(s))
}

fn a(times: usize) -> Text {
    Text::from("a".repeat(times).as_str())
}

/// Runs on a stack that a recursion of any depth would overflow.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(128 << 10).spawn(f).unwrap().join().unwrap();
}

#[test]
fn deep_concatenations_are_built_derived_compared_printed_and_dropped() {
    for left in [true, false] {
        on_a_small_stack(move || {
            // Alternating letters; otherwise the sequence would be one loop.
            let letter = |i: usize| Text::from_code(0x61 + i as i64 % 2);
            let make = || {
                (1..DEEP).fold(Regex::word(letter(0)), |r, i| {
                    let next = Regex::word(letter(i));
                    Regex::concat(&if left { [r, next] } else { [next, r] })
                })
            };
            let (one, two) = (make(), make());
            assert!(one == two);
            assert_eq!(one.to_string().matches("str.to_re").count(), DEEP);
            let mut yes: Vec<u32> = (0..DEEP as u32).map(|i| 0x61 + i % 2).collect();
            if !left {
                yes.reverse();
            }
            let yes = Text::try_from_codes(yes).unwrap();
            let mut pool = RegexPool::default();
            assert_eq!(pool.accepts(&one, &yes), Ok(true));
            assert_eq!(pool.accepts(&one, &yes.substr(0, DEEP as i64 - 1)), Ok(false));
            assert_eq!(pool.is_empty(&two), Ok(false));
            let after = pool.derivative(&one, yes.codes()[0]).unwrap();
            assert_eq!(pool.accepts(&after, &yes.substr(1, DEEP as i64)), Ok(true));
        });
    }
}

#[test]
fn every_operator_may_be_nested_deeply() {
    type Wrap = fn(Regex) -> Regex;
    let wraps: [(Wrap, bool); 8] = [
        (|r| Regex::union(&[r, Regex::word("b".into())]), true),
        (|r| Regex::inter(&[r, Regex::word("b".into()).comp()]), true),
        (|r| r.comp(), true),
        (|r| r.star(), true),
        (|r| r.plus().opt(), true),
        (|r| r.repeat(1, 2), true),
        (|r| r.diff(&[Regex::word("b".into())]).reverse(), true),
        (|r| Regex::concat(&[r.comp(), Regex::word("b".into())]), false),
    ];
    for (i, (wrap, member)) in wraps.into_iter().enumerate() {
        on_a_small_stack(move || {
            let deep = (0..DEEP / 10).fold(word("a"), |r, _| wrap(r));
            let mut pool = RegexPool::with_limit(50_000_000);
            match pool.accepts(&deep, &a(1)) {
                Ok(found) => assert_eq!(found, member, "wrap {i}"),
                Err(StepLimit) => panic!("wrap {i} takes too long"),
            }
        });
    }
}

#[test]
fn shared_terms_that_unfold_exponentially_stay_small() {
    let doubled = (0..60).fold(word("a").opt(), |r, _| Regex::concat(&[r.clone(), r]));
    let again = (0..60).fold(word("a").opt(), |r, _| Regex::concat(&[r.clone(), r]));
    assert!(doubled == again);
    let mut pool = RegexPool::default();
    assert_eq!(pool.accepts(&doubled, &"aaa".into()), Ok(true));
    assert_eq!(pool.accepts(&doubled, &"aab".into()), Ok(false));
    let unions = (0..60).fold(word("a"), |r, _| Regex::union(&[r.clone(), r]));
    assert_eq!(pool.equal(&unions, &word("a")), Ok(true));
}

#[test]
fn loops_are_not_unrolled() {
    let mut pool = RegexPool::default();
    let r = word("a").repeat(3, 100_000);
    for (n, want) in [(2, false), (3, true), (100_000, true), (100_001, false)] {
        assert_eq!(pool.accepts(&r, &a(n)), Ok(want), "{n}");
    }
    let huge = Regex::union(&[word("ab"), word("a")]).repeat(2, u64::MAX);
    assert_eq!(pool.accepts(&huge, &"aaba".into()), Ok(true));
    assert_eq!(pool.accepts(&huge, &"aabb".into()), Ok(false));
    assert_eq!(pool.is_empty(&huge), Ok(false));
    assert_eq!(pool.sample(&word("ab").power(500)).unwrap().map(|s| s.len()), Some(1000));
    assert_eq!(word("a").repeat_ints(&Int::from(-1i64), None), None);
    let two_up = word("a").repeat_ints(&Int::from(2i64), None).unwrap();
    assert_eq!(pool.accepts(&two_up, &a(9)), Ok(true));
    assert_eq!(pool.accepts(&two_up, &a(1)), Ok(false));
}

/// "An a, then n more characters" from the end: 2^n states.
fn nth_from_the_end(n: u64) -> Regex {
    let ab = Regex::range(&"a".into(), &"b".into());
    Regex::concat(&[ab.star(), word("a"), ab.power(n)])
}

#[test]
fn a_question_beyond_its_steps_is_an_error_and_the_pool_stays_usable() {
    // Languages of 2^40 states; the second is the first, written with a complement.
    let hard = nth_from_the_end(40);
    let ab = Regex::range(&"a".into(), &"b".into());
    let not = [ab.repeat(0, 40), Regex::concat(&[ab.star(), word("b"), ab.power(40)])];
    let same = ab.star().diff(&not);
    let other = nth_from_the_end(39);
    let mut pool = RegexPool::with_limit(20_000);
    assert_eq!(pool.equal(&hard, &same), Err(StepLimit));
    assert_eq!(pool.equal(&hard, &other), Err(StepLimit));
    assert_eq!(pool.is_empty(&hard.diff(&[same])), Err(StepLimit));
    assert_eq!(pool.sample(&Regex::inter(&[hard, other.comp()])), Err(StepLimit));
    assert_eq!(pool.accepts(&word("a").star(), &a(30_000)), Err(StepLimit));
    assert_eq!(
        pool.replace(&a(30_000), &word("b").star().plus().diff(&[word("")]), &"".into()),
        Err(ReplaceError::StepLimit(StepLimit))
    );
    // The same pool still answers other questions.
    assert_eq!(pool.accepts(&word("a").star(), &a(300)), Ok(true));
    assert_eq!(RegexPool::default().accepts(&word("a").star(), &a(30_000)), Ok(true));
}

#[test]
fn a_pool_that_answers_many_questions_does_not_mix_them_up() {
    // Terms are dropped between the questions, so their addresses are reused.
    let mut pool = RegexPool::default();
    for i in 0..20_000u32 {
        let c = 0x100 + i % 7001;
        let regex = Regex::word(Text::from_code(c.into())).star();
        let yes = Text::try_from_codes(vec![c, c]).unwrap();
        let no = Text::try_from_codes(vec![c, c + 1]).unwrap();
        assert_eq!((pool.accepts(&regex, &yes), pool.accepts(&regex, &no)), (Ok(true), Ok(false)));
    }
}

#[test]
fn characters_at_the_ends_of_the_alphabet_count() {
    let mut pool = RegexPool::default();
    let last = Text::from_code(MAX_CHAR.into());
    let but_last = Regex::range(&Text::from_code(0), &Text::from_code((MAX_CHAR - 1).into()));
    let rest = Regex::all_char().diff(std::slice::from_ref(&but_last));
    assert_eq!(pool.sample(&rest), Ok(Some(last.clone())));
    let both = Regex::union(&[but_last, Regex::word(last)]);
    assert_eq!(pool.equal(&both, &Regex::all_char()), Ok(true));
    // Words that begin with none of the characters up to c: only the character just after a range shows a difference.
    let low = Regex::range(&Text::from_code(0), &"c".into());
    let begins_low = Regex::concat(&[low.clone(), Regex::all()]).opt();
    assert_eq!(pool.sample(&begins_low.comp()), Ok(Some("d".into())));
    assert_eq!(pool.alphabet(&low).unwrap(), [0x61, 0x64]);
    assert_eq!(pool.alphabet(&word("ab")).unwrap().len(), 3);
    assert_eq!(pool.alphabet(&Regex::all()).unwrap(), [0x61]);
    assert!(pool.derivative(&Regex::all(), MAX_CHAR + 1).unwrap() == Regex::none());
}

#[test]
fn terms_print_as_smtlib() {
    let r = Regex::union(&[
        Regex::concat(&[word("a\"b"), Regex::all_char().star()]),
        Regex::range(&"a".into(), &"z".into()).repeat(2, 5).comp(),
        word("x").power(3).opt().diff(&[Regex::none(), Regex::all()]),
    ]);
    assert_eq!(
        r.to_string(),
        r#"(re.union (re.++ (str.to_re "a""b") (re.* re.allchar)) (re.comp ((_ re.loop 2 5) (re.range "a" "z"))) (re.diff (re.opt ((_ re.^ 3) (str.to_re "x"))) re.none re.all))"#
    );
}
