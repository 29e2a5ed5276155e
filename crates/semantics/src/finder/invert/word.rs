//! Inverts operations on strings and sequences, which are the same operations on lists.
//!
//! A string is treated as a list of characters. A required part is inserted at its position; a length is reached by
//! truncating or by adding elements that occur in the script; a regular expression gives members of its language.

use super::super::candidates::some_members;
use super::{Ask, Tools};
use crate::value::Value;
use crate::value::int::Int;
use crate::value::regex::{Regex, RegexPool};
use crate::value::text::Text;
use smtlib::sort::{Sort, SortId};

/// Maximum length of a proposed list.
const LONGEST: usize = 400;

type List = Vec<Value>;

pub(super) fn argument(name: &str, ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let Some((_, operation)) = name.split_once('_') else { return vec![] };
    match (operation, &ask.args[ask.at], ask.target) {
        ("in_re", Value::String(_), Value::Bool(truth)) => {
            tools.spent += 500;
            in_language(ask, *truth)
        }
        ("to_int", Value::String(_), Value::Int(n)) => numeral(n),
        ("from_int", Value::Int(_), Value::String(text)) => vec![Value::Int(text.to_int())],
        ("to_code", Value::String(_), Value::Int(n)) => match n.to_i64() {
            Some(n) if n >= 0 => vec![Value::String(Text::from_code(n))],
            _ => vec![Value::String(Text::default())],
        },
        ("from_code", Value::Int(_), Value::String(text)) => {
            text.to_code().map(|code| Value::Int(Int::from(code))).into_iter().collect()
        }
        ("is_digit", Value::String(_), Value::Bool(true)) => {
            ["0", "7"].map(|word| Value::String(Text::parse(word.as_bytes()))).into()
        }
        ("unit", _, Value::Seq(parts)) => parts.first().cloned().into_iter().collect(),
        ("nth", _, target) if ask.at == 0 => nth(ask, target.clone(), tools),
        ("lt" | "le", Value::String(_), Value::Bool(_)) => ordered(ask, tools),
        (_, Value::Int(_), _) => position(operation, ask, tools),
        (_, Value::String(_) | Value::Seq(_), _) => {
            let found = list(operation, ask, &lists(ask.args), tools);
            found.into_iter().filter(|l| l.len() <= LONGEST).filter_map(|l| unlisted(ask.sort, l)).collect()
        }
        _ => vec![],
    }
}

/// A string or sequence as a list.
fn listed(value: &Value) -> Option<List> {
    match value {
        Value::String(text) => Some(text.codes().iter().map(|&code| Value::Char(code)).collect()),
        Value::Seq(parts) => Some(parts.to_vec()),
        _ => None,
    }
}

/// The arguments as lists; empty lists for the others.
fn lists(args: &[Value]) -> Vec<List> {
    args.iter().map(|arg| listed(arg).unwrap_or_default()).collect()
}

fn unlisted(sort: SortId, list: List) -> Option<Value> {
    if sort != SortId::STRING {
        return Some(Value::seq(list));
    }
    let codes: Option<Vec<u32>> =
        list.iter().map(|value| if let Value::Char(code) = value { Some(*code) } else { None }).collect();
    Text::try_from_codes(codes?).map(Value::String)
}

/// An element to make a list longer.
fn filler(ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Option<Value> {
    let element = match tools.eval.pool().sort(ask.sort) {
        Sort::Seq(element) => *element,
        _ => {
            let words = tools.candidates.of(tools.eval, SortId::STRING);
            let letters: List = words.iter().filter_map(listed).flatten().take(12).collect();
            return tools.chance.pick(&letters).cloned().or(Some(Value::Char(0x61)));
        }
    };
    let known = tools.candidates.of(tools.eval, element);
    if tools.chance.once_in(3) { known.first().cloned() } else { tools.chance.pick(&known).cloned() }
}

fn list(operation: &str, ask: &Ask<'_>, args: &[List], tools: &mut Tools<'_, '_, '_>) -> Vec<List> {
    let now = &args[ask.at];
    if let Value::Bool(truth) = ask.target {
        return related(operation, ask.at, args, *truth, tools, ask);
    }
    if let Value::Int(n) = ask.target {
        return match operation {
            "len" => resized(now, n, ask, tools),
            "indexof" | "indexof_start" | "last_indexof" => placed(ask, args, n, tools),
            _ => vec![],
        };
    }
    let Some(target) = listed(ask.target) else { return vec![] };
    let number = |n: usize| match ask.args.get(n) {
        Some(Value::Int(i)) => i.to_i64().and_then(|i| usize::try_from(i).ok()).filter(|&i| i <= LONGEST),
        _ => None,
    };
    match operation {
        "concat" => parts(args, ask.at, &target),
        "at" | "substr" | "extract" => match number(1) {
            Some(start) => overwritten(now, start, &target, ask, tools),
            None => vec![],
        },
        "update" if ask.at == 0 => vec![target],
        "update" => {
            number(1).filter(|&i| i < target.len()).map(|i| target[i..].to_vec()).into_iter().collect()
        }
        "rev" => vec![target.into_iter().rev().collect()],
        "to_lower" | "to_upper" => vec![target],
        "replace" | "replace_all" | "replace_re" | "replace_re_all" => replaced(args, ask.at, &target),
        _ => vec![],
    }
}

/// The required value of a part of a concatenation.
fn parts(args: &[List], at: usize, target: &List) -> Vec<List> {
    let before: List = args[..at].concat();
    let after: List = args[at + 1..].concat();
    let mut found = vec![];
    if target.starts_with(&before) && target.ends_with(&after) && before.len() + after.len() <= target.len() {
        found.push(target[before.len()..target.len() - after.len()].to_vec());
        return found;
    }
    // The other parts must change too: the piece between them, or the end of the remainder.
    let from = before.len().min(target.len());
    let to = target.len().saturating_sub(after.len()).max(from);
    found.push(target[from..to].to_vec());
    if target.starts_with(&before) {
        found.push(target[from..].to_vec());
    }
    if target.ends_with(&after) {
        found.push(target[..target.len() - after.len()].to_vec());
    }
    found.push(vec![]);
    found
}

fn resized(now: &List, n: &Int, ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<List> {
    let Some(n) = n.to_u32().map(|n| n as usize).filter(|&n| n <= LONGEST) else { return vec![] };
    let mut found = vec![];
    for _ in 0..2 {
        let mut list = now.clone();
        list.truncate(n);
        while list.len() < n {
            let Some(element) = filler(ask, tools) else { return found };
            list.push(element);
        }
        found.push(list);
    }
    if now.len() > n {
        found.push(now[now.len() - n..].to_vec());
    }
    found
}

/// A list with another one written at a position.
fn overwritten(
    now: &List,
    start: usize,
    part: &List,
    ask: &Ask<'_>,
    tools: &mut Tools<'_, '_, '_>,
) -> Vec<List> {
    let mut list: List = now.iter().take(start).cloned().collect();
    while list.len() < start {
        let Some(element) = filler(ask, tools) else { return vec![] };
        list.push(element);
    }
    let short: List = list.iter().chain(part).cloned().collect();
    let mut long = short.clone();
    long.extend(now.iter().skip(start + part.len()).cloned());
    vec![long, short]
}

/// The list in which a part is found at a position, or the part itself.
fn placed(ask: &Ask<'_>, args: &[List], n: &Int, tools: &mut Tools<'_, '_, '_>) -> Vec<List> {
    let (whole, part) = (&args[0], &args[1]);
    let Some(n) = n.to_i64() else { return vec![] };
    let Ok(n) = usize::try_from(n) else {
        return if ask.at == 0 { vec![vec![]] } else { vec![whole.iter().chain(part).cloned().collect()] };
    };
    if ask.at == 0 {
        return overwritten(whole, n.min(LONGEST), part, ask, tools);
    }
    if n >= whole.len() { vec![vec![]] } else { vec![whole[n..=n].to_vec(), whole[n..].to_vec()] }
}

fn replaced(args: &[List], at: usize, target: &List) -> Vec<List> {
    match at {
        // The result itself, or the result with the replacement undone.
        0 => {
            let mut found = vec![target.clone()];
            if let [_, pattern, by] = args
                && !by.is_empty()
                && let Some(place) = target.windows(by.len()).position(|part| part == &by[..])
            {
                let rest = &target[place + by.len()..];
                found.push(target[..place].iter().chain(pattern).chain(rest).cloned().collect());
            }
            found
        }
        1 => vec![args[0].clone(), vec![], args[0].iter().take(1).cloned().collect()],
        _ => vec![target.clone(), args.get(1).cloned().unwrap_or_default(), vec![]],
    }
}

/// Containment, prefixes and suffixes.
fn related(
    operation: &str,
    at: usize,
    args: &[List],
    truth: bool,
    tools: &mut Tools<'_, '_, '_>,
    ask: &Ask<'_>,
) -> Vec<List> {
    let [a, b] = args else { return vec![] };
    let joined = |x: &List, y: &List| -> List { x.iter().chain(y).cloned().collect() };
    let now = &args[at];
    if !truth {
        let Some(element) = filler(ask, tools) else { return vec![] };
        return vec![joined(now, &vec![element.clone()]), joined(&vec![element], now), vec![]];
    }
    let cut = |list: &List, n: usize| list[..n.min(list.len())].to_vec();
    match (operation, at) {
        ("contains", 0) => vec![joined(a, b), joined(b, a), b.clone()],
        ("contains", _) => vec![a.clone(), vec![], cut(a, 1), a.iter().skip(1).cloned().collect()],
        ("prefixof", 0) => vec![cut(b, a.len()), cut(b, a.len().saturating_sub(1)), vec![], b.clone()],
        ("prefixof", _) => {
            vec![joined(a, &b.iter().skip(a.len()).cloned().collect()), joined(a, b), a.clone()]
        }
        ("suffixof", 0) => {
            let from = b.len().saturating_sub(a.len());
            vec![b[from..].to_vec(), vec![], b.clone()]
        }
        ("suffixof", _) => {
            let kept = cut(b, b.len().saturating_sub(a.len()));
            vec![joined(&kept, a), joined(b, a), a.clone()]
        }
        _ => vec![],
    }
}

/// A list with an element at a position.
fn nth(ask: &Ask<'_>, target: Value, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let (Some(now), Some(Value::Int(n))) = (listed(&ask.args[0]), ask.args.get(1)) else { return vec![] };
    let Some(n) = n.to_u32().map(|n| n as usize).filter(|&n| n <= LONGEST) else { return vec![] };
    let found = overwritten(&now, n, &vec![target], ask, tools);
    found.into_iter().filter_map(|list| unlisted(ask.sort, list)).collect()
}

/// Positions and lengths.
fn position(operation: &str, ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let whole = listed(&ask.args[0]).unwrap_or_default();
    let target = listed(ask.target);
    let mut found: Vec<i64> = vec![];
    if let Some(target) = target {
        if !target.is_empty() && matches!(operation, "at" | "substr" | "extract") && ask.at == 1 {
            let place = whole.windows(target.len()).position(|part| part == &target[..]);
            found.extend(place.map(|place| place as i64));
        } else if ask.at == 2 {
            found.push(target.len() as i64);
        } else {
            found.extend([-1, whole.len() as i64]);
        }
    } else if operation == "nth" {
        let place = whole.iter().position(|element| element == ask.target);
        found.extend(place.map(|place| place as i64));
    } else if let Value::Int(n) = ask.target {
        found.extend(n.to_i64());
    }
    found.push(tools.chance.below(whole.len() + 2) as i64);
    found.into_iter().map(|n| Value::Int(Int::from(n))).collect()
}

fn numeral(n: &Int) -> Vec<Value> {
    if n.is_negative() {
        return vec![Value::String(Text::default()), Value::String(Text::parse(b"a"))];
    }
    let plain = Text::from_int(n);
    let padded = Text::parse(format!("0{n}").as_bytes());
    vec![Value::String(plain), Value::String(padded)]
}

/// A string before or after another.
fn ordered(ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let other = ask.args[1 - ask.at.min(1)].clone();
    let mut found = vec![Value::String(Text::default()), other.clone()];
    if let Some(mut list) = listed(&other) {
        found.extend(filler(ask, tools).and_then(|element| {
            list.push(element);
            unlisted(ask.sort, list)
        }));
    }
    found.extend(tools.some(ask.sort, 2));
    found
}

/// Members of a language, or of its complement.
fn in_language(ask: &Ask<'_>, truth: bool) -> Vec<Value> {
    let Some(Value::RegLan(regex)) = ask.args.get(1) else { return vec![] };
    let regex: Regex = if truth { regex.clone() } else { regex.comp() };
    let mut regexes = RegexPool::with_limit(20_000);
    let mut found: Vec<Value> = vec![];
    // A member of about the same length as the current word, because other conjuncts may constrain the length.
    if let Value::String(now) = &ask.args[0] {
        let length = now.len() as u64;
        let same = Regex::inter(&[regex.clone(), Regex::all_char().repeat(length, length)]);
        found.extend(regexes.sample(&same).ok().flatten().map(Value::String));
    }
    found.extend(some_members(&mut regexes, &regex, 8).into_iter().map(Value::String));
    found
}
