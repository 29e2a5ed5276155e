//! Regular languages against the standard's definitions, on random expressions with every operator.
//!
//! The second implementation asks "is there a split of the word such that …", the way the standard defines the
//! operators. It is exponential, shares no code with derivatives, and follows the definitions directly.
#![allow(clippy::unwrap_used)]

use semantics::value::regex::{Regex, RegexPool};
use semantics::value::text::Text;

#[derive(Debug, Clone)]
enum Re {
    None,
    All,
    AllChar,
    Word(&'static str),
    Range(&'static str, &'static str),
    Concat(Vec<Re>),
    Union(Vec<Re>),
    Inter(Vec<Re>),
    Diff(Vec<Re>),
    Comp(Box<Re>),
    Star(Box<Re>),
    Plus(Box<Re>),
    Opt(Box<Re>),
    Power(Box<Re>, u64),
    Loop(Box<Re>, u64, u64),
    AtLeast(Box<Re>, u64),
    Reverse(Box<Re>),
    Xor(Box<Re>, Box<Re>),
}

fn has(re: &Re, w: &[u32]) -> bool {
    match re {
        Re::None => false,
        Re::All => true,
        Re::AllChar => w.len() == 1,
        Re::Word(word) => codes(word) == w,
        Re::Range(a, b) => {
            let (a, b) = (codes(a), codes(b));
            a.len() == 1 && b.len() == 1 && w.len() == 1 && a[0] <= w[0] && w[0] <= b[0]
        }
        Re::Concat(rs) => match rs.as_slice() {
            [] => w.is_empty(),
            [first, rest @ ..] => {
                let rest = Re::Concat(rest.to_vec());
                split(w).any(|(u, v)| has(first, u) && has(&rest, v))
            }
        },
        Re::Union(rs) => rs.iter().any(|r| has(r, w)),
        Re::Inter(rs) => rs.iter().all(|r| has(r, w)),
        Re::Diff(rs) => has(&rs[0], w) && !rs[1..].iter().any(|r| has(r, w)),
        Re::Comp(r) => !has(r, w),
        Re::Star(r) => w.is_empty() || split(w).any(|(u, v)| !u.is_empty() && has(r, u) && has(re, v)),
        Re::Plus(r) => split(w).any(|(u, v)| has(r, u) && has(&Re::Star(r.clone()), v)),
        Re::Opt(r) => w.is_empty() || has(r, w),
        Re::Power(_, 0) => w.is_empty(),
        Re::Power(r, n) => {
            let rest = Re::Power(r.clone(), n - 1);
            split(w).any(|(u, v)| has(r, u) && has(&rest, v))
        }
        Re::Loop(r, lo, hi) => (*lo..=*hi).any(|n| has(&Re::Power(r.clone(), n), w)),
        Re::AtLeast(r, lo) => {
            split(w).any(|(u, v)| has(&Re::Power(r.clone(), *lo), u) && has(&Re::Star(r.clone()), v))
        }
        Re::Reverse(r) => has(r, &w.iter().rev().copied().collect::<Vec<_>>()),
        Re::Xor(a, b) => has(a, w) != has(b, w),
    }
}

fn split(w: &[u32]) -> impl Iterator<Item = (&[u32], &[u32])> {
    (0..=w.len()).map(|i| w.split_at(i))
}

fn build(re: &Re) -> Regex {
    let all = |rs: &[Re]| rs.iter().map(build).collect::<Vec<_>>();
    match re {
        Re::None => Regex::none(),
        Re::All => Regex::all(),
        Re::AllChar => Regex::all_char(),
        Re::Word(w) => Regex::word(Text::from(*w)),
        Re::Range(a, b) => Regex::range(&Text::from(*a), &Text::from(*b)),
        Re::Concat(rs) => Regex::concat(&all(rs)),
        Re::Union(rs) => Regex::union(&all(rs)),
        Re::Inter(rs) => Regex::inter(&all(rs)),
        Re::Diff(rs) => build(&rs[0]).diff(&all(&rs[1..])),
        Re::Comp(r) => build(r).comp(),
        Re::Star(r) => build(r).star(),
        Re::Plus(r) => build(r).plus(),
        Re::Opt(r) => build(r).opt(),
        Re::Power(r, n) => build(r).power(*n),
        Re::Loop(r, lo, hi) => build(r).repeat(*lo, *hi),
        Re::AtLeast(r, lo) => build(r).at_least(*lo),
        Re::Reverse(r) => build(r).reverse(),
        Re::Xor(a, b) => build(a).xor(&build(b)),
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn re(&mut self, depth: u32) -> Re {
        if depth == 0 {
            return self.leaf();
        }
        let count = 2 + self.below(2);
        let one = |d: &mut Dice| Box::new(d.re(depth - 1));
        let some = |d: &mut Dice| (0..count).map(|_| d.re(depth - 1)).collect::<Vec<_>>();
        match self.below(16) {
            0..=2 => Re::Concat(some(self)),
            3 | 4 => Re::Union(some(self)),
            5 | 6 => Re::Inter(some(self)),
            7 => Re::Diff(some(self)),
            8 => Re::Comp(one(self)),
            9 => Re::Star(one(self)),
            10 => Re::Plus(one(self)),
            11 => Re::Opt(one(self)),
            12 => Re::Power(one(self), self.below(4)),
            13 => Re::Loop(one(self), self.below(3), self.below(4)),
            14 => Re::AtLeast(one(self), self.below(3)),
            _ if self.below(2) == 0 => Re::Reverse(one(self)),
            _ => Re::Xor(one(self), one(self)),
        }
    }

    fn leaf(&mut self) -> Re {
        match self.below(12) {
            0 => Re::None,
            1 => Re::All,
            2 => Re::AllChar,
            3 => Re::Word(""),
            4 | 5 => Re::Word("a"),
            6 => Re::Word("b"),
            7 => Re::Word("ab"),
            8 => Re::Word("bab"),
            9 => Re::Range("a", "b"),
            10 => Re::Range("b", "c"),
            _ => [Re::Range("b", "a"), Re::Range("", "b"), Re::Range("a", "bc")][self.below(3) as usize]
                .clone(),
        }
    }
}

fn codes(s: &str) -> Vec<u32> {
    s.chars().map(u32::from).collect()
}

fn text(codes: &[u32]) -> Text {
    Text::try_from_codes(codes.to_vec()).unwrap()
}

/// All words up to a length, shortest first.
fn words(alphabet: &[u32], longest: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut level = all.clone();
    for _ in 0..longest {
        level =
            level.iter().flat_map(|w| alphabet.iter().map(move |&c| [w.as_slice(), &[c]].concat())).collect();
        all.extend(level.iter().cloned());
    }
    all
}

#[test]
fn membership_is_what_the_standard_says() {
    let words = [words(&codes("ab"), 4), words(&codes("bc"), 2)].concat();
    let mut dice = Dice(0x5EED_0001);
    let mut pool = RegexPool::default();
    let mut members = 0;
    for round in 0..1500 {
        let re = dice.re(1 + round % 3);
        let regex = build(&re);
        for w in &words {
            let want = has(&re, w);
            assert_eq!(pool.accepts(&regex, &text(w)), Ok(want), "{} in {regex}", text(w));
            members += usize::from(want);
        }
    }
    // The random expressions must not denote only empty or only full languages.
    let tested = 1500 * words.len();
    assert!(members > tested / 5 && members < tested * 4 / 5, "{members} of {tested}");
}

#[test]
fn derivatives_as_terms_denote_the_continuations() {
    let words = words(&codes("ab"), 3);
    let mut dice = Dice(0x5EED_0002);
    let mut pool = RegexPool::default();
    for _ in 0..200 {
        let re = dice.re(2);
        for c in codes("ab") {
            let after = pool.derivative(&build(&re), c).unwrap();
            for w in &words {
                let whole = [&[c], w.as_slice()].concat();
                assert_eq!(pool.accepts(&after, &text(w)), Ok(has(&re, &whole)), "{re:?}");
            }
        }
    }
}

#[test]
fn emptiness_samples_and_members_agree_with_the_definitions() {
    let alphabet = codes("abcd");
    let words = words(&alphabet, 3);
    let mut dice = Dice(0x5EED_0003);
    let mut pool = RegexPool::default();
    for round in 0..500 {
        let re = dice.re(1 + round % 3);
        let regex = build(&re);
        let want: Vec<Text> = words.iter().filter(|w| has(&re, w)).map(|w| text(w)).collect();
        let sample = pool.sample(&regex).unwrap();
        assert_eq!(pool.is_empty(&regex), Ok(sample.is_none()), "{regex}");
        match &sample {
            None => assert!(want.is_empty(), "{regex} is not empty: {}", want[0]),
            Some(found) => {
                assert!(has(&re, found.codes()), "{found} in {regex}");
                if let Some(shortest) = want.first() {
                    assert_eq!(found.len(), shortest.len(), "{found} or {shortest} in {regex}");
                }
            }
        }
        assert_eq!(pool.members(&regex, &alphabet, 3, usize::MAX), Ok(want.clone()), "{regex}");
        let two = want.iter().take(2).cloned().collect();
        assert_eq!(pool.members(&regex, &alphabet, 3, 2), Ok(two));
    }
}

#[test]
fn equality_is_of_languages_and_a_difference_is_a_witness() {
    let words = words(&codes("abc"), 3);
    let mut dice = Dice(0x5EED_0004);
    let mut pool = RegexPool::default();
    let mut equal = 0;
    for _ in 0..800 {
        let (a, b) = (dice.re(1), dice.re(1));
        let (ra, rb) = (build(&a), build(&b));
        match pool.difference(&ra, &rb).unwrap() {
            Some(w) => assert_ne!(has(&a, w.codes()), has(&b, w.codes()), "{w} for {ra} and {rb}"),
            None => {
                equal += 1;
                assert!(words.iter().all(|w| has(&a, w) == has(&b, w)), "{ra} and {rb}");
                assert_eq!(pool.subset(&ra, &rb), Ok(true));
                assert_eq!(pool.subset(&rb, &ra), Ok(true));
            }
        }
        let both = Regex::inter(&[ra.clone(), rb.clone()]);
        assert_eq!(pool.subset(&both, &ra), Ok(true));
    }
    assert!(equal > 20, "{equal}");
}

#[test]
fn laws_of_languages_hold_as_equalities() {
    let mut dice = Dice(0x5EED_0005);
    let mut pool = RegexPool::default();
    let epsilon = Regex::word(Text::default());
    for _ in 0..200 {
        let r = build(&dice.re(2));
        let s = build(&dice.re(1));
        let cat = |parts: &[&Regex]| Regex::concat(&parts.iter().map(|&r| r.clone()).collect::<Vec<_>>());
        let or = |a: &Regex, b: &Regex| Regex::union(&[a.clone(), b.clone()]);
        let laws = [
            (r.plus(), cat(&[&r, &r.star()])),
            (r.star(), or(&epsilon, &cat(&[&r, &r.star()]))),
            (or(&r, &s).star(), cat(&[&r.star(), &cat(&[&s, &r.star()]).star()])),
            (or(&r, &s).comp(), Regex::inter(&[r.comp(), s.comp()])),
            (r.repeat(1, 3), or(&r, &or(&r.power(2), &r.power(3)))),
            (r.repeat(0, 1), r.opt()),
            (r.repeat(2, 1), Regex::none()),
            (r.at_least(2), cat(&[&r, &r, &r.star()])),
            (r.reverse().reverse(), r.clone()),
            (cat(&[&r, &s]).reverse(), cat(&[&s.reverse(), &r.reverse()])),
            (r.xor(&r), Regex::none()),
        ];
        for (left, right) in laws {
            assert_eq!(pool.equal(&left, &right), Ok(true), "{left} and {right}");
        }
    }
}

/// Priority to the shortest u1, then to the shortest w1, as the standard's note says.
fn first_match<'a>(re: &Re, w: &'a [u32], empty_too: bool) -> Option<(&'a [u32], &'a [u32])> {
    (0..=w.len())
        .flat_map(|i| (i..=w.len()).map(move |j| (i, j)))
        .find(|&(i, j)| (empty_too || i < j) && has(re, &w[i..j]))
        .map(|(i, j)| (&w[..i], &w[j..]))
}

fn naive_replace_all(re: &Re, w: &[u32], by: &[u32]) -> Vec<u32> {
    match first_match(re, w, false) {
        None => w.to_vec(),
        Some((u1, u2)) => [u1, by, &naive_replace_all(re, u2, by)].concat(),
    }
}

#[test]
fn replacing_takes_the_leftmost_then_shortest_match() {
    let words = words(&codes("ab"), 4);
    let by = codes("c");
    let mut dice = Dice(0x5EED_0006);
    let mut pool = RegexPool::default();
    for _ in 0..250 {
        let re = dice.re(2);
        let regex = build(&re);
        for w in &words {
            let one = first_match(&re, w, true);
            let want = one.map_or(w.clone(), |(u1, u2)| [u1, &by, u2].concat());
            assert_eq!(pool.replace(&text(w), &regex, &text(&by)), Ok(text(&want)), "{regex}");
            let want = naive_replace_all(&re, w, &by);
            assert_eq!(pool.replace_all(&text(w), &regex, &text(&by)), Ok(text(&want)), "{regex}");
            for from in -1..=5i64 {
                let want = usize::try_from(from)
                    .ok()
                    .filter(|&f| f <= w.len())
                    .and_then(|f| first_match(&re, &w[f..], true).map(|(u1, _)| f + u1.len()));
                assert_eq!(pool.indexof(&text(w), &regex, from), Ok(want), "{regex} {w:?} {from}");
            }
        }
    }
}

#[test]
fn replacing_with_the_empty_word_in_the_language() {
    let mut pool = RegexPool::default();
    let stars = Regex::word("a".into()).star();
    assert_eq!(pool.replace(&"baab".into(), &stars, &"X".into()), Ok("Xbaab".into()));
    assert_eq!(pool.replace_all(&"baab".into(), &stars, &"X".into()), Ok("bXXb".into()));
    assert_eq!(pool.replace_all(&"".into(), &stars, &"X".into()), Ok("".into()));
    assert_eq!(pool.replace(&"".into(), &stars, &"X".into()), Ok("X".into()));
}

/// The bytes are the dice. Run for longer by `fuzz/run`.
#[test]
fn fuzzed_expressions_accept_what_the_standard_says() {
    let words = words(&codes("abc"), 3);
    let fuzz = testkit::Fuzz {
        name: "regex",
        seeds: (0u64..40).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes().to_vec()).collect(),
        dictionary: &[],
        most: std::time::Duration::from_secs(20),
    };
    fuzz.run(|input| {
        let mut bytes = [0x5E; 8];
        bytes.iter_mut().zip(input).for_each(|(to, from)| *to = *from);
        let mut dice = Dice(u64::from_le_bytes(bytes) | 1);
        let re = dice.re(1 + input.len() as u32 % 3);
        let regex = build(&re);
        let mut pool = RegexPool::default();
        let accepted = words.iter().filter(|word| {
            let want = has(&re, word);
            assert_eq!(pool.accepts(&regex, &text(word)), Ok(want), "{} in {regex}", text(word));
            want
        });
        format!("{}", accepted.count())
    });
}
