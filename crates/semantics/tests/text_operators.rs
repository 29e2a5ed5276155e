//! Every string operator against the standard's own definitions, on all small strings.
//!
//! The second implementation below works on Rust strings and by decomposition ("the shortest u1 such that w = u1 w1
//! u2"), the way the standard is written, so that it shares nothing with the code it checks.
#![allow(clippy::unwrap_used)]

use semantics::value::int::Int;
use semantics::value::sequence;
use semantics::value::text::{MAX_LEN, Text, TooLong};

fn words(longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let until = all.len();
        for i in from..until {
            for letter in ["a", "b"] {
                all.push(format!("{}{letter}", all[i]));
            }
        }
        from = until;
    }
    all
}

fn t(s: &str) -> Text {
    Text::from(s)
}

/// All (w1, w2, w3) with w = w1 w2 w3, shortest w1 first, then shortest w2.
fn splits(w: &str) -> Vec<(&str, &str, &str)> {
    (0..=w.len()).flat_map(|i| (i..=w.len()).map(move |j| (&w[..i], &w[i..j], &w[j..]))).collect()
}

fn naive_substr(w: &str, m: i64, n: i64) -> String {
    let length = w.len() as i64;
    if !(0 <= m && m < length && 0 < n) {
        return String::new();
    }
    splits(w)
        .into_iter()
        .find(|(w1, w2, _)| w1.len() as i64 == m && w2.len() as i64 == n.min(length - m))
        .unwrap()
        .1
        .to_string()
}

fn naive_contains(w: &str, part: &str) -> bool {
    splits(w).iter().any(|(_, w2, _)| *w2 == part)
}

fn naive_indexof(w: &str, part: &str, i: i64) -> i64 {
    if i < 0 || !naive_contains(w, part) {
        return -1;
    }
    splits(w)
        .iter()
        .filter(|(w1, w2, _)| *w2 == part && w1.len() as i64 >= i)
        .map(|(w1, _, _)| w1.len() as i64)
        .min()
        .unwrap_or(-1)
}

fn naive_replace(w: &str, w1: &str, w2: &str) -> String {
    match splits(w).iter().find(|(_, mid, _)| *mid == w1) {
        None => w.to_string(),
        Some((u1, _, u2)) => format!("{u1}{w2}{u2}"),
    }
}

fn naive_replace_all(w: &str, w1: &str, w2: &str) -> String {
    match splits(w).iter().find(|(_, mid, _)| *mid == w1) {
        Some((u1, _, u2)) if !w1.is_empty() => format!("{u1}{w2}{}", naive_replace_all(u2, w1, w2)),
        _ => w.to_string(),
    }
}

fn naive_update(w: &str, i: i64, by: &str) -> String {
    if i < 0 || i >= w.len() as i64 {
        return w.to_string();
    }
    w.chars()
        .enumerate()
        .map(|(k, c)| match k as i64 - i {
            d if d >= 0 => by.chars().nth(d as usize).unwrap_or(c),
            _ => c,
        })
        .collect()
}

fn found(i: Option<usize>) -> i64 {
    i.map_or(-1, |i| i as i64)
}

#[test]
fn operators_on_one_string_and_integers_follow_the_standard() {
    for w in words(3) {
        for i in [i64::MIN, -2, -1, 0, 1, 2, 3, 4, i64::MAX] {
            assert_eq!(t(&w).at(i), t(&naive_substr(&w, i, 1)), "str.at {w:?} {i}");
            for n in [i64::MIN, -1, 0, 1, 2, 3, 4, i64::MAX] {
                assert_eq!(t(&w).substr(i, n), t(&naive_substr(&w, i, n)), "str.substr {w:?} {i} {n}");
            }
        }
        assert_eq!(t(&w).len(), w.chars().count());
        assert_eq!(t(&w).rev(), t(&w.chars().rev().collect::<String>()));
        assert_eq!(t(&w).to_upper(), t(&w.to_ascii_uppercase()));
        assert_eq!(t(&w).to_upper().to_lower(), t(&w));
    }
}

#[test]
fn operators_on_two_strings_follow_the_standard() {
    for w in words(3) {
        for v in words(3) {
            let (tw, tv) = (t(&w), t(&v));
            assert_eq!(Text::concat(&[tw.clone(), tv.clone()]), Ok(t(&format!("{w}{v}"))));
            assert_eq!(tw < tv, w < v, "str.< {w:?} {v:?}");
            assert_eq!(tw <= tv, w <= v, "str.<= {w:?} {v:?}");
            let prefix = splits(&v).iter().any(|(a, b, _)| a.is_empty() && *b == w);
            let suffix = splits(&v).iter().any(|(_, b, c)| c.is_empty() && *b == w);
            assert_eq!(tw.prefixof(&tv), prefix, "str.prefixof {w:?} {v:?}");
            assert_eq!(tw.suffixof(&tv), suffix, "str.suffixof {w:?} {v:?}");
            assert_eq!(tw.contains(&tv), naive_contains(&w, &v), "str.contains {w:?} {v:?}");
            let last = splits(&w).iter().filter(|(_, b, _)| *b == v).map(|(a, _, _)| a.len()).max();
            assert_eq!(tw.last_indexof(&tv), last, "seq.last_indexof {w:?} {v:?}");
            for i in [i64::MIN, -1, 0, 1, 2, 3, 4, i64::MAX] {
                let want = naive_indexof(&w, &v, i);
                assert_eq!(found(tw.indexof(&tv, i)), want, "str.indexof {w:?} {v:?} {i}");
                assert_eq!(tw.update(i, &tv), t(&naive_update(&w, i, &v)), "str.update {w:?} {i} {v:?}");
            }
        }
    }
}

#[test]
fn replacing_follows_the_standard() {
    for w in words(3) {
        for p in words(3) {
            for r in words(3) {
                let (tw, tp, tr) = (t(&w), t(&p), t(&r));
                assert_eq!(tw.replace(&tp, &tr), Ok(t(&naive_replace(&w, &p, &r))), "{w:?} {p:?} {r:?}");
                assert_eq!(
                    tw.replace_all(&tp, &tr),
                    Ok(t(&naive_replace_all(&w, &p, &r))),
                    "{w:?} {p:?} {r:?}"
                );
            }
        }
    }
}

#[test]
fn common_edge_cases_follow_the_standard() {
    assert_eq!(t("abc").indexof(&t(""), 3), Some(3));
    assert_eq!(t("abc").indexof(&t(""), 4), None);
    assert_eq!(t("abc").indexof(&t(""), -1), None);
    assert_eq!(t("").indexof(&t(""), 0), Some(0));
    assert_eq!(t("ab").replace(&t(""), &t("x")), Ok(t("xab")));
    assert_eq!(t("ab").replace_all(&t(""), &t("x")), Ok(t("ab")));
    assert_eq!(t("aaaa").replace_all(&t("aa"), &t("a")), Ok(t("aa")));
    assert_eq!(t("abab").last_indexof(&t("")), Some(4));
    assert_eq!(t("ab").last_indexof(&t("ab")), Some(0));
    assert!(t("") < t("a") && t("a") < t("aa") && t("aa") < t("b"));
}

#[test]
fn codes_and_digits_follow_the_standard() {
    for code in [0, 0x2F, 0x30, 0x39, 0x3A, 0x660, 0xD800, 0x2_FFFF] {
        let s = Text::from_code(code);
        assert_eq!(s.to_code().map(i64::from), Some(code));
        assert_eq!(s.is_digit(), (0x30..=0x39).contains(&code));
    }
    for code in [-1, 0x3_0000, i64::MIN, i64::MAX] {
        assert_eq!(Text::from_code(code), t(""));
    }
    assert_eq!(t("").to_code(), None);
    assert_eq!(t("ab").to_code(), None);
    assert!(!t("12").is_digit() && !t("").is_digit());
    let minus_one = Int::from(-1i64);
    assert_eq!(t("0023").to_int(), Int::from(23i64));
    for no in ["", "-1", "+1", "1_0", " 1", "1a", "\u{661}"] {
        assert_eq!(t(no).to_int(), minus_one, "{no:?}");
    }
    let big = "9".repeat(50);
    assert_eq!(Text::from_int(&t(&big).to_int()), t(&big));
    assert_eq!(Text::from_int(&t("00").to_int()), t("0"));
    assert_eq!(Text::from_int(&minus_one), t(""));
    assert_eq!(Text::from_signed(&minus_one), t("-1"));
    assert_eq!(t("ab").power(&Int::from(3i64)), Ok(t("ababab")));
    assert_eq!(t("ab").power(&minus_one), Ok(t("")));
    assert_eq!(t("").power(&t(&big).to_int()), Ok(t("")));
    assert_eq!(t("ab").power(&t(&big).to_int()), Err(TooLong));
    assert_eq!(t("abc").at(sequence::clamp(&t(&big).to_int())), t(""));
    assert_eq!(t("abc").substr(1, sequence::clamp(&t(&big).to_int())), t("bc"));
    assert_eq!(t("Az\u{c9}").to_lower(), t("az\u{c9}"));
}

#[test]
fn long_searches_agree_with_short_ones_and_stay_linear() {
    // a^n b in a^m: quadratic by the plain method, and past its threshold here.
    let hay: Vec<u32> = std::iter::repeat_n(0, 400_000).chain([1]).chain([0; 10]).collect();
    let needle: Vec<u32> = std::iter::repeat_n(0, 200_000).chain([1]).collect();
    assert_eq!(sequence::find(&hay, &needle, 0), Some(200_000));
    assert_eq!(sequence::find(&hay, &needle, 200_001), None);
    assert_eq!(sequence::last_indexof(&hay, &needle), Some(200_000));
    // Fibonacci words have the worst borders: compare with windows.
    let (mut a, mut b) = (vec![0u8], vec![0u8, 1]);
    for _ in 0..10 {
        let next = [b.clone(), a].concat();
        a = b;
        b = next;
    }
    for start in 0..60 {
        let part = &b[start..start + 60];
        assert_eq!(sequence::find(&b, part, 0), b.windows(60).position(|w| w == part));
        assert_eq!(sequence::last_indexof(&b, part), b.windows(60).rposition(|w| w == part));
        assert_eq!(sequence::find(&b, part, 30), b[30..].windows(60).position(|w| w == part).map(|i| i + 30));
    }
}

#[test]
fn results_beyond_the_limit_are_refused_not_truncated() {
    let big = Text::try_from_codes(vec![0x61; MAX_LEN]).unwrap();
    assert_eq!(Text::concat(&[big.clone(), t("a")]), Err(TooLong));
    assert_eq!(Text::concat(&[big.clone(), t("")]).map(|s| s.len()), Ok(MAX_LEN));
    assert_eq!(big.replace(&t(""), &t("b")), Err(TooLong));
    assert_eq!(big.replace_all(&t("a"), &big), Err(TooLong));
    assert_eq!(Text::try_from_codes(vec![0x3_0000]), None);
}

#[test]
fn sequences_of_other_elements_use_the_same_code() {
    let s = [10, 20, 30, 20];
    assert_eq!(sequence::nth(&s, 1), Some(&20));
    assert_eq!(sequence::nth(&s, 4), None);
    assert_eq!(sequence::nth(&s, -1), None);
    assert_eq!(sequence::at(&s, 3), &[20]);
    assert!(sequence::at(&s, 4).is_empty());
    assert_eq!(sequence::extract(&s, 1, 2), &[20, 30]);
    assert_eq!(sequence::indexof(&s, &[20], 2), Some(3));
    assert_eq!(sequence::last_indexof(&s, &[20]), Some(3));
    assert_eq!(sequence::replace_all(&s, &[20], &[1, 1], 10), Some(vec![10, 1, 1, 30, 1, 1]));
    assert_eq!(sequence::replace_all(&s, &[20], &[1, 1], 5), None);
    assert_eq!(sequence::update(&s, 3, &[7, 8]), vec![10, 20, 30, 7]);
    assert_eq!(sequence::reversed(&s), vec![20, 30, 20, 10]);
}
