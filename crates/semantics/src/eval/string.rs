//! Strings, regular languages and z3's characters. All standard operations are total; results beyond the maximum
//! length of strings, and questions beyond the step limit of derivatives, are unknown.

use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::int::Int;
use crate::value::regex::Regex;
use crate::value::sequence::clamp;
use crate::value::text::{MAX_CHAR, Text, TooLong};

pub(super) const FUNCTIONS: Functions = &[
    ("str_char", str_char),
    ("str_concat", str_concat),
    ("str_len", str_len),
    ("str_lt", str_lt),
    ("str_le", str_le),
    ("str_at", str_at),
    ("str_substr", str_substr),
    ("str_prefixof", str_prefixof),
    ("str_suffixof", str_suffixof),
    ("str_contains", str_contains),
    ("str_indexof", str_indexof),
    ("str_indexof_start", str_indexof_start),
    ("str_last_indexof", str_last_indexof),
    ("str_replace", str_replace),
    ("str_replace_all", str_replace_all),
    ("str_replace_re", str_replace_re),
    ("str_replace_re_all", str_replace_re_all),
    ("str_indexof_re", str_indexof_re),
    ("str_is_digit", str_is_digit),
    ("str_to_code", str_to_code),
    ("str_from_code", str_from_code),
    ("str_to_int", str_to_int),
    ("str_from_int", str_from_int),
    ("str_in_re", str_in_re),
    ("str_to_re", str_to_re),
    ("str_rev", str_rev),
    ("str_to_lower", str_to_lower),
    ("str_to_upper", str_to_upper),
    ("str_update", str_update),
    ("str_power", str_power),
    ("str_from_ubv", str_from_ubv),
    ("str_from_sbv", str_from_sbv),
    ("str_empty", |_, _| Ok(Value::String(Text::default()))),
    ("str_of_char", str_of_char),
    ("str_nth", str_nth),
    ("str_map", str_map),
    ("str_foldl", str_foldl),
    ("re_none", |_, _| Ok(Value::RegLan(Regex::none()))),
    ("re_all", |_, _| Ok(Value::RegLan(Regex::all()))),
    ("re_allchar", |_, _| Ok(Value::RegLan(Regex::all_char()))),
    ("re_concat", |_, args| joined(args, Regex::concat)),
    ("re_union", |_, args| joined(args, Regex::union)),
    ("re_inter", |_, args| joined(args, Regex::inter)),
    ("re_diff", re_diff),
    ("re_star", re_star),
    ("re_plus", re_plus),
    ("re_opt", re_opt),
    ("re_comp", re_comp),
    ("re_range", re_range),
    ("re_power", re_power),
    ("re_loop", re_loop),
    ("re_loop_from", re_loop_from),
    ("re_loop_args", re_loop_args),
    ("re_loop_from_arg", re_loop_from_arg),
    ("re_reverse", re_reverse),
    ("re_xor", re_xor),
    ("re_derivative", re_derivative),
    ("char_of", char_of),
    ("char_le", char_le),
    ("char_to_int", char_to_int),
    ("char_to_bv", char_to_bv),
    ("char_from_bv", char_from_bv),
    ("char_is_digit", char_is_digit),
];

/// A position, or -1.
pub(super) fn position(found: Option<usize>) -> Int {
    found.map_or(Int::from(-1), |n| Int::from(n as u64))
}

pure! {
    str_len(String(s)) => Int::from(s.len() as u64);
    str_lt(String(a), String(b)) => a < b;
    str_le(String(a), String(b)) => a <= b;
    str_at(String(s), Int(i)) => s.at(clamp(i));
    str_substr(String(s), Int(i), Int(n)) => s.substr(clamp(i), clamp(n));
    str_prefixof(String(a), String(b)) => a.prefixof(b);
    str_suffixof(String(a), String(b)) => a.suffixof(b);
    str_contains(String(a), String(b)) => a.contains(b);
    str_indexof(String(a), String(b), Int(i)) => position(a.indexof(b, clamp(i)));
    str_indexof_start(String(a), String(b)) => position(a.indexof(b, 0));
    str_last_indexof(String(a), String(b)) => position(a.last_indexof(b));
    str_is_digit(String(s)) => s.is_digit();
    str_to_code(String(s)) => s.to_code().map_or(Int::from(-1), |c| Int::from(u64::from(c)));
    str_from_code(Int(n)) => Text::from_code(clamp(n));
    str_to_int(String(s)) => s.to_int();
    str_from_int(Int(n)) => Text::from_int(n);
    str_to_re(String(s)) => Regex::word(s.clone());
    str_rev(String(s)) => s.rev();
    str_to_lower(String(s)) => s.to_lower();
    str_to_upper(String(s)) => s.to_upper();
    str_update(String(s), Int(i), String(t)) => s.update(clamp(i), t);
    str_from_ubv(BitVec(b)) => Text::from_int(&b.ubv_to_int());
    str_from_sbv(BitVec(b)) => Text::from_signed(&b.sbv_to_int());
    re_diff(RegLan(a), RegLan(b)) => a.diff(std::slice::from_ref(b));
    re_star(RegLan(a)) => a.star();
    re_plus(RegLan(a)) => a.plus();
    re_opt(RegLan(a)) => a.opt();
    re_comp(RegLan(a)) => a.comp();
    re_range(String(a), String(b)) => Regex::range(a, b);
    re_reverse(RegLan(a)) => a.reverse();
    re_xor(RegLan(a), RegLan(b)) => a.xor(b);
    char_le(Char(a), Char(b)) => a <= b;
    char_to_int(Char(a)) => Int::from(u64::from(*a));
    char_is_digit(Char(a)) => (0x30..=0x39).contains(a);
}

fn joined(args: &[Value], join: fn(&[Regex]) -> Regex) -> Outcome {
    let parts: Option<Vec<Regex>> = args
        .iter()
        .map(|arg| match arg {
            Value::RegLan(regex) => Some(regex.clone()),
            _ => None,
        })
        .collect();
    parts.map(|parts| Value::RegLan(join(&parts))).ok_or(Unknown::Generic)
}

fn str_concat(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let parts: Option<Vec<Text>> = args
        .iter()
        .map(|arg| match arg {
            Value::String(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    long(Text::concat(&parts.ok_or(Unknown::Generic)?))
}

fn long(result: Result<Text, TooLong>) -> Outcome {
    result.map(Value::String).map_err(|_| Unknown::TooLarge)
}

fn character(code: u64) -> Result<u32, Unknown> {
    u32::try_from(code).ok().filter(|&c| c <= MAX_CHAR).ok_or(Unknown::TooLarge)
}

with_context! {
    str_replace(_cx, _args, String(s), String(t), String(u)) => long(s.replace(t, u));
    str_replace_all(_cx, _args, String(s), String(t), String(u)) => long(s.replace_all(t, u));
    str_replace_re(cx, _args, String(s), RegLan(r), String(t)) => {
        cx.eval.ask_regex(|pool| pool.replace(s, r, t)).map(Value::String)
    };
    str_replace_re_all(cx, _args, String(s), RegLan(r), String(t)) => {
        cx.eval.ask_regex(|pool| pool.replace_all(s, r, t)).map(Value::String)
    };
    str_indexof_re(cx, _args, String(s), RegLan(r), Int(i)) => {
        cx.eval.ask_regex(|pool| pool.indexof(s, r, clamp(i))).map(|n| Value::Int(position(n)))
    };
    str_in_re(cx, _args, String(s), RegLan(r)) => {
        cx.eval.ask_regex(|pool| pool.accepts(r, s)).map(Value::Bool)
    };
    str_power(_cx, _args, String(s), Int(n)) => long(s.power(n));
    str_of_char(_cx, _args, Char(c)) => {
        Text::try_from_codes(vec![*c]).map(Value::String).ok_or(Unknown::TooLarge)
    };
    str_nth(cx, args, String(s), Int(i)) => {
        match crate::value::sequence::nth(s.codes(), clamp(i)) {
            Some(&code) => Ok(Value::Char(code)),
            None => cx.open(args),
        }
    };
    re_power(cx, _args, RegLan(a)) => Ok(Value::RegLan(a.power(cx.index(0)?)));
    re_loop(cx, _args, RegLan(a)) => Ok(Value::RegLan(a.repeat(cx.index(0)?, cx.index(1)?)));
    re_loop_from(cx, _args, RegLan(a)) => Ok(Value::RegLan(a.at_least(cx.index(0)?)));
    re_loop_args(_cx, _args, RegLan(a), Int(i), Int(j)) => {
        a.repeat_ints(i, Some(j)).map(Value::RegLan).ok_or(Unknown::TooLarge)
    };
    re_loop_from_arg(_cx, _args, RegLan(a), Int(i)) => {
        a.repeat_ints(i, None).map(Value::RegLan).ok_or(Unknown::TooLarge)
    };
    re_derivative(cx, _args, Char(c), RegLan(a)) => {
        cx.eval.ask_regex(|pool| pool.derivative(a, *c)).map(Value::RegLan)
    };
    char_to_bv(_cx, _args, Char(c)) => {
        BitVec::from_u64(18, u64::from(*c)).map(Value::BitVec).ok_or(Unknown::TooLarge)
    };
    char_from_bv(cx, args, BitVec(b)) => match b.to_u64().map(character) {
        Some(Ok(code)) => Ok(Value::Char(code)),
        _ => cx.open(args),
    };
}

fn str_char(cx: &mut Cx<'_, '_>, _: &[Value]) -> Outcome {
    let code = character(cx.index(0)?)?;
    Text::try_from_codes(vec![code]).map(Value::String).ok_or(Unknown::TooLarge)
}

fn char_of(cx: &mut Cx<'_, '_>, _: &[Value]) -> Outcome {
    character(cx.index(0)?).map(Value::Char)
}

fn str_map(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, Value::String(text)] = args else { return Err(Unknown::Generic) };
    let mapped: Result<Vec<Value>, Unknown> =
        text.codes().iter().map(|&c| cx.eval.apply_value(function, vec![Value::Char(c)])).collect();
    Ok(Value::seq(mapped?))
}

fn str_foldl(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, first, Value::String(text)] = args else { return Err(Unknown::Generic) };
    let mut sum = first.clone();
    for &c in text.codes() {
        sum = cx.eval.apply_value(function, vec![sum, Value::Char(c)])?;
    }
    Ok(sum)
}
