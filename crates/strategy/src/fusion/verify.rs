//! Checks whether fusion functions are well-typed and whether their inversions hold.
//!
//! In: functions. Out, per function and per choice of its parameters: a script that is unsatisfiable exactly if the
//! inversions always hold (for solvers), and the result of trying boundary and random values in the evaluator. A value
//! that depends on an under-specified point refutes a function, because it may differ between models. The evaluator
//! can refute; only a solver can prove. The two checks are independent.

use super::constants;
use super::expr::{Bindings, Expr, Names};
use super::functions::{Draw, Function, Trust};
use super::sorts::Shape;
use crate::{CampaignKey, Rng};
use semantics::eval::{Evaluator, Unknown};
use semantics::model::Model;
use semantics::value::Value;
use smtlib::Script;

/// A function with its parameters fixed.
pub struct Instance<'f> {
    pub function: &'f Function,
    params: Vec<Shape>,
    widths: Vec<&'static str>,
}

/// The result of trying values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    pub tried: u64,
    /// Number of values for which the evaluator could not decide.
    pub undecided: u64,
    /// The first script whose assertions fail, or depend on an under-specified point.
    pub refuted: Option<String>,
    /// Why the function is ill-typed.
    pub ill_typed: Option<String>,
}

/// The sorts that are tried for a parameter.
const SORTS: &[&str] = &[
    "Int",
    "(_ BitVec 3)",
    "Bool",
    "Real",
    "String",
    "(_ FloatingPoint 3 4)",
    "RoundingMode",
    "(Array Int Bool)",
];
const WIDTHS: &[[&str; 2]] = &[["1", "1"], ["4", "2"], ["3", "8"]];
const FORMATS: &[[&str; 2]] = &[["2", "2"], ["3", "4"], ["5", "11"]];
const PRIMES: &[[&str; 2]] = &[["3", ""], ["7", ""], ["101", ""]];

/// The function with its parameters fixed in several ways.
pub fn instances(function: &Function) -> Vec<Instance<'_>> {
    let (params, widths) = function.parameters();
    let sizes: &[[&str; 2]] = match () {
        () if widths == 0 => &[["", ""]],
        () if function.mentions(b"FloatingPoint") => FORMATS,
        () if function.mentions(b"FiniteField") => PRIMES,
        () => WIDTHS,
    };
    let mut found = vec![];
    for size in sizes {
        for first in 0..if params == 0 { 1 } else { SORTS.len() } {
            let sort = |n: usize| Shape::read(SORTS[(first + 3 * n) % SORTS.len()]);
            let params = (0..params).map(sort).collect();
            let widths = (0..widths).map(|n| size[n % 2]).collect();
            found.push(Instance { function, params, widths });
        }
    }
    found
}

const ROLES: [&[u8]; 3] = [b"x", b"y", b"z"];
const LOCAL: &[u8] = b"$1";

impl Instance<'_> {
    /// The parameters as text for people; empty if there are none.
    pub fn label(&self) -> String {
        let mut words: Vec<String> = self.params.iter().map(Shape::to_text).collect();
        words.extend(self.widths.iter().map(|&width| width.to_owned()));
        words.join(", ")
    }

    fn bindings(&self) -> Bindings<'_> {
        Bindings::fixed(&self.params, &self.widths)
    }

    /// Satisfiable exactly if an inversion fails.
    pub fn obligation(&self) -> Vec<u8> {
        let bindings = self.bindings();
        let constants: Vec<Vec<u8>> =
            self.function.constants.iter().map(|constant| constant.name.clone().into_bytes()).collect();
        let names = Names {
            roles: ROLES,
            constants: &constants,
            local: LOCAL,
            bindings: &bindings,
            suffixes: [b"", b""],
        };
        let mut out = b"(set-logic ALL)\n".to_vec();
        for (role, name) in ROLES.iter().enumerate().take(2) {
            declare(&mut out, name, &self.function.sorts[role], &names);
        }
        for (n, constant) in self.function.constants.iter().enumerate() {
            declare(&mut out, &constants[n], &constant.sort, &names);
            restrict(&mut out, n, &constants, constant.draw, &text(&constant.sort, &names));
        }
        self.function.write_declarations(&mut out, &names);
        self.function.write_constraint(&mut out, &names, 2);
        out.extend_from_slice(b"(assert (not (and");
        for (role, name) in ROLES.iter().enumerate().take(2) {
            out.extend_from_slice(b" (= ");
            out.extend_from_slice(name);
            out.push(b' ');
            self.function.term_of(role).write(&mut out, &names);
            out.push(b')');
        }
        out.extend_from_slice(b")))\n(check-sat)\n");
        out
    }

    /// A script without free symbols whose assertions are the inversions; `None` if a sort has no literals.
    fn sample(&self, rng: &mut Rng) -> Option<Vec<u8>> {
        let bindings = self.bindings();
        let plain =
            Names { roles: ROLES, constants: &[], local: LOCAL, bindings: &bindings, suffixes: [b"", b""] };
        let mut constants: Vec<Vec<u8>> = vec![];
        for constant in &self.function.constants {
            let drawn = constants::draw(&text(&constant.sort, &plain), constant.draw, &constants, rng)?;
            constants.push(drawn);
        }
        let names = Names { constants: &constants, ..plain };
        let mut out = vec![];
        for datatype in &self.function.datatypes {
            datatype.write(&mut out, &names);
        }
        for (role, name) in ROLES.iter().enumerate().take(2) {
            let sort = text(&self.function.sorts[role], &names);
            define(&mut out, name, b"", &sort, &value(&Shape::read_bytes(&sort), rng)?);
        }
        for fresh in &self.function.fresh {
            let sort = text(&fresh.result, &names);
            let mut body = match &fresh.result {
                Expr::Local(_) => self.function.empty_constructor(&names)?,
                _ => value(&Shape::read_bytes(&sort), rng)?,
            };
            let mut args = vec![];
            for (n, arg) in fresh.args.iter().enumerate() {
                args.extend_from_slice(format!("(a{n} ").as_bytes());
                arg.write(&mut args, &names);
                args.push(b')');
            }
            if fresh.args.len() > 1 {
                body = [b"(ite (= a0 ", &body[..], b") a1 a0)"].concat();
            }
            define(&mut out, &[fresh.name.as_bytes(), LOCAL].concat(), &args, &sort, &body);
        }
        let (sort, fused) = (text(&self.function.sorts[2], &names), text(&self.function.terms[0], &names));
        define(&mut out, b"z", b"", &sort, &fused);
        self.function.write_constraint(&mut out, &names, 0);
        self.function.write_constraint(&mut out, &names, 1);
        Some(out)
    }

    /// Tries boundary and random values in the evaluator.
    pub fn try_values(&self, count: u64) -> Trial {
        let mut trial = Trial::default();
        if let Err(error) = Script::parse(&self.obligation()) {
            trial.ill_typed = Some(error.to_string());
            return trial;
        }
        let key = CampaignKey(format!("{} {}", self.function.name, self.label()));
        for n in 0..count {
            let Some(text) = self.sample(&mut Rng::of(&key, "verify", n)) else { continue };
            let script = match Script::parse(&text) {
                Ok(script) => script,
                Err(error) => {
                    trial.ill_typed = Some(error.to_string());
                    return trial;
                }
            };
            trial.tried += 1;
            let model = Model::default();
            let mut evaluator = Evaluator::new(&script.pool, &model);
            for term in script.assertions() {
                match evaluator.eval_open(term) {
                    Ok(Value::Bool(true)) => {}
                    Ok(_) | Err(Unknown::Open(_)) => {
                        trial.refuted = Some(String::from_utf8_lossy(&text).into_owned());
                        return trial;
                    }
                    Err(_) => trial.undecided += 1,
                }
            }
        }
        trial
    }
}

/// Whether both inversions hold at these values of x and y, whatever under-specified operators mean. Functions with fresh
/// symbols are not looked at.
pub(super) fn inverts_at(
    function: &Function,
    bindings: &Bindings<'_>,
    constants: &[Vec<u8>],
    values: [&[u8]; 2],
) -> bool {
    if !function.fresh.is_empty() || !function.datatypes.is_empty() {
        return false;
    }
    let names = Names { roles: ROLES, constants, local: LOCAL, bindings, suffixes: [b"", b""] };
    let mut out = vec![];
    for (role, value) in values.iter().enumerate() {
        define(&mut out, ROLES[role], b"", &text(&function.sorts[role], &names), value);
    }
    define(&mut out, b"z", b"", &text(&function.sorts[2], &names), &text(&function.terms[0], &names));
    function.write_constraint(&mut out, &names, 0);
    function.write_constraint(&mut out, &names, 1);
    let Ok(script) = Script::parse(&out) else { return false };
    let model = Model::default();
    let mut evaluator = Evaluator::new(&script.pool, &model);
    let mut assertions = script.assertions();
    assertions.all(|term| matches!(evaluator.eval_open(term), Ok(Value::Bool(true))))
}

/// Tries the functions of a user's file about which the file says nothing. Those that no value refutes may be used as
/// total functions; expectations that rely on them say that they are only tested.
pub fn test_unchecked(functions: &mut [Function], count: u64) {
    for function in functions.iter_mut().filter(|function| function.trust == Trust::Unchecked) {
        let trials: Vec<Trial> =
            instances(function).iter().map(|instance| instance.try_values(count)).collect();
        let fine = |trial: &Trial| {
            trial.refuted.is_none() && trial.ill_typed.is_none() && trial.tried > trial.undecided
        };
        function.trust = if trials.iter().all(fine) { Trust::Tested } else { Trust::Partial };
    }
}

fn text(expr: &Expr, names: &Names<'_>) -> Vec<u8> {
    let mut out = vec![];
    expr.write(&mut out, names);
    out
}

fn declare(out: &mut Vec<u8>, name: &[u8], sort: &Expr, names: &Names<'_>) {
    out.extend_from_slice(b"(declare-fun ");
    out.extend_from_slice(name);
    out.extend_from_slice(b" () ");
    sort.write(out, names);
    out.extend_from_slice(b")\n");
}

fn define(out: &mut Vec<u8>, name: &[u8], args: &[u8], sort: &[u8], body: &[u8]) {
    for piece in [b"(define-fun ", name, b" (", args, b") ", sort, b" ", body, b")\n"] {
        out.extend_from_slice(piece);
    }
}

/// Asserts the known property of a drawn constant.
fn restrict(out: &mut Vec<u8>, n: usize, constants: &[Vec<u8>], draw: Draw, sort: &[u8]) {
    let name = String::from_utf8_lossy(&constants[n]).into_owned();
    let sort = String::from_utf8_lossy(sort).into_owned();
    let width = sort.strip_prefix("(_ BitVec ").and_then(|rest| rest.strip_suffix(')'));
    let condition = match (draw, width) {
        (Draw::Any, _) => return,
        (Draw::Nonzero, Some(width)) => format!("(not (= {name} (_ bv0 {width})))"),
        (Draw::Nonzero, None) if sort == "Real" => format!("(not (= {name} 0.0))"),
        (Draw::Nonzero, None) => format!("(not (= {name} 0))"),
        (Draw::Odd, _) => format!("(= ((_ extract 0 0) {name}) #b1)"),
        (Draw::InverseOf(other), width) => {
            let other = String::from_utf8_lossy(&constants[other]);
            format!("(= (bvmul {other} {name}) (_ bv1 {}))", width.unwrap_or("1"))
        }
    };
    out.extend_from_slice(format!("(assert {condition})\n").as_bytes());
}

/// A random value of a sort, usually a boundary value.
pub(crate) fn value(sort: &Shape, rng: &mut Rng) -> Option<Vec<u8>> {
    let text = sort.to_text();
    let Shape::List(items) = sort else {
        return match text.as_str() {
            "RoundingMode" => Some((*rng.pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"])?).into()),
            _ => constants::draw(text.as_bytes(), Draw::Any, &[], rng),
        };
    };
    let words: Vec<String> = items.iter().map(Shape::to_text).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let made = match words.as_slice() {
        ["_", "BitVec", _] => return constants::draw(text.as_bytes(), Draw::Any, &[], rng),
        ["_", "FloatingPoint", e, s] => float(e, s, rng)?,
        ["_", "FiniteField", p] => format!("(as ff{} {text})", rng.below(p.parse().ok()?)),
        ["Array", _, _] => {
            let mut array = format!("((as const {text}) {})", show(&items[2], rng)?);
            for _ in 0..rng.below(3) {
                array = format!("(store {array} {} {})", show(&items[1], rng)?, show(&items[2], rng)?);
            }
            array
        }
        ["Seq", _] => match rng.below(3) {
            0 => format!("(as seq.empty {text})"),
            1 => format!("(seq.unit {})", show(&items[1], rng)?),
            _ => {
                format!("(seq.++ (seq.unit {}) (seq.unit {}))", show(&items[1], rng)?, show(&items[1], rng)?)
            }
        },
        ["Set", _] => match rng.below(3) {
            0 => format!("(as set.empty {text})"),
            1 => format!("(set.singleton {})", show(&items[1], rng)?),
            _ => {
                let (a, b) = (show(&items[1], rng)?, show(&items[1], rng)?);
                format!("(set.union (set.singleton {a}) (set.singleton {b}))")
            }
        },
        _ => return None,
    };
    Some(made.into_bytes())
}

fn show(sort: &Shape, rng: &mut Rng) -> Option<String> {
    value(sort, rng).map(|value| String::from_utf8_lossy(&value).into_owned())
}

fn float(e: &str, s: &str, rng: &mut Rng) -> Option<String> {
    let special = ["NaN", "+oo", "-oo", "+zero", "-zero"];
    if rng.chance(1, 2) {
        return Some(format!("(_ {} {e} {s})", rng.pick(&special)?));
    }
    let bits = |count: usize, rng: &mut Rng| -> String {
        match rng.below(3) {
            0 => "0".repeat(count),
            1 => "1".repeat(count),
            _ => (0..count).map(|_| if rng.chance(1, 2) { '1' } else { '0' }).collect(),
        }
    };
    let (e, s): (usize, usize) = (e.parse().ok()?, s.parse().ok()?);
    Some(format!("(fp #b{} #b{} #b{})", bits(1, rng), bits(e, rng), bits(s - 1, rng)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fusion::Functions;

    #[test]
    fn every_embedded_function_is_typed_and_no_value_refutes_a_total_one() {
        for function in &Functions::embedded().functions {
            let mut refuted = false;
            for instance in instances(function) {
                let trial = instance.try_values(60);
                let place = format!("{} [{}]", function.name, instance.label());
                assert_eq!(trial.ill_typed, None, "{place}");
                assert!(trial.tried > trial.undecided, "{place}: nothing was decided");
                refuted |= trial.refuted.is_some();
                if function.trust == Trust::Total {
                    assert_eq!(trial.refuted, None, "{place}");
                }
            }
            // A partial function that no value refutes is mislabelled and could be used as total.
            assert_eq!(refuted, function.trust == Trust::Partial, "{}", function.name);
        }
    }

    #[test]
    fn a_wrong_inversion_is_refuted_and_a_right_one_of_a_user_counts_as_tested() {
        let block = |inversion: &str| {
            format!(
                "#begin\n(declare-const x Int)(declare-const y Int)(declare-const z Int)\n(assert (= z (+ x y)))\n\
                 (assert (= x {inversion}))\n(assert (= y (- z x)))\n#end\n"
            )
        };
        let text = [block("(- z y)"), block("(- y z)"), block("(div (* z y) y)")].concat();
        let mut functions = Functions::read(&text).functions;
        test_unchecked(&mut functions, 50);
        let trust: Vec<Trust> = functions.iter().map(|function| function.trust).collect();
        assert_eq!(trust, [Trust::Tested, Trust::Partial, Trust::Partial]);
    }

    #[test]
    fn an_ill_typed_function_is_reported() {
        let text = "#begin\n(declare-const x Int)(declare-const y Int)(declare-const z Int)\n\
            (assert (= z (and x y)))\n(assert (= x z))\n(assert (= y z))\n#end\n";
        let functions = Functions::read(text).functions;
        assert!(instances(&functions[0])[0].try_values(1).ill_typed.is_some());
    }
}
