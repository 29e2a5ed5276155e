//! Solves an equation or inequality for one of its variables by probing.
//!
//! The two sides of a comparison are evaluated with the current value of the variable, one more and two more. If the
//! difference of the sides grows evenly it is linear there, and if its growth grows evenly it is quadratic, however
//! the terms are written. The zero of that line or parabola is proposed, with its neighbours for inequalities. Three
//! points prove nothing, but that is not needed: a move is only a proposal.

use super::graph::{Node, NodeId, VarId};
use super::invert;
use super::moves::Move;
use super::state::State;
use crate::budget::Exhausted;
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;

/// The difference of the two sides at three neighbouring points.
type Probe<T> = [T; 3];

/// Values of a variable at which the sides of a comparison may be equal.
pub(super) fn zeros(state: &mut State<'_, '_>, conjunct: NodeId, var: VarId) -> Result<Vec<Move>, Exhausted> {
    let Some((a, b)) = sides(state, conjunct) else { return Ok(vec![]) };
    let now = state.assigned(var).clone();
    let mut probes = vec![];
    for n in 0..3 {
        let Some(value) = shifted(&now, n) else { return Ok(vec![]) };
        let mark = state.mark();
        let done = state.set(var, value);
        let pair = (state.value(a).clone(), state.value(b).clone());
        state.undo(mark);
        done?;
        let (Ok(a), Ok(b)) = pair else { return Ok(vec![]) };
        probes.push((a, b));
    }
    let found = match &now {
        Value::BitVec(now) => words(now, &probes),
        _ => numbers(&now, &probes),
    };
    Ok(found.unwrap_or_default().into_iter().map(|value| (var, value)).collect())
}

/// The sides of an equation or comparison, possibly negated.
fn sides(state: &State<'_, '_>, conjunct: NodeId) -> Option<(NodeId, NodeId)> {
    match state.graph.node(conjunct) {
        Node::Not(inner) => sides(state, *inner),
        Node::Equal(a, b) => Some((*a, *b)),
        Node::Apply(_, args) => match args[..] {
            [a, b] => Some((a, b)),
            _ => None,
        },
        _ => None,
    }
}

fn shifted(value: &Value, n: i64) -> Option<Value> {
    match value {
        Value::Int(x) => Some(Value::Int(x + &Int::from(n))),
        Value::Real(Real::Rat(x)) => Some(Value::Real((x + &Rat::from(n)).into())),
        Value::BitVec(x) => Some(Value::BitVec(x.add(&BitVec::from_u64(x.width(), n as u64)?))),
        _ => None,
    }
}

fn rational(value: &Value) -> Option<Rat> {
    match value {
        Value::Int(n) => Some(Rat::from(n)),
        Value::Real(Real::Rat(r)) => Some(r.clone()),
        _ => None,
    }
}

fn numbers(now: &Value, probes: &[(Value, Value)]) -> Option<Vec<Value>> {
    let start = rational(now)?;
    let mut differences = vec![];
    for (a, b) in probes {
        differences.push(&rational(a)? - &rational(b)?);
    }
    let probe: Probe<Rat> = differences.try_into().ok()?;
    let mut found = vec![];
    for shift in roots(&probe) {
        let root = Real::from(start.clone()).add(&shift).ok()?;
        match now {
            Value::Int(_) => {
                let floor = root.floor().ok()?;
                found.extend([&floor + &Int::ONE, &floor - &Int::ONE, floor].map(Value::Int));
            }
            _ => {
                let beside = [Rat::ONE, Rat::ratio(-1, 1), Rat::ratio(1, 64), Rat::ratio(-1, 64)];
                found.push(Value::Real(root.clone()));
                found.extend(beside.into_iter().filter_map(|d| root.add(&d.into()).ok()).map(Value::Real));
            }
        }
    }
    Some(found)
}

/// Where the line or parabola through the values at 0, 1 and 2 is zero.
fn roots([d0, d1, d2]: &Probe<Rat>) -> Vec<Real> {
    let first = d1 - d0;
    let square = &(&(d2 - d1) - &first) * &Rat::ratio(1, 2);
    let slope = &first - &square;
    if square.is_zero() {
        return (-d0).div(&slope).map(Real::from).into_iter().collect();
    }
    let discriminant = &(&slope * &slope) - &(&(&square * d0) * &Rat::from(4));
    if discriminant.is_negative() {
        return vec![];
    }
    let Ok(Some(root)) = Real::from(discriminant).nth_root(2) else { return vec![] };
    let double = Real::from(&square + &square);
    let minus = Real::from(-&slope);
    let over = |top: Result<Real, _>| top.ok().and_then(|top| top.div(&double).ok().flatten());
    [over(minus.add(&root)), over(minus.sub(&root))].into_iter().flatten().collect()
}

fn words(now: &BitVec, probes: &[(Value, Value)]) -> Option<Vec<Value>> {
    let mut differences = vec![];
    for (a, b) in probes {
        match (a, b) {
            (Value::BitVec(a), Value::BitVec(b)) if a.width() == now.width() => differences.push(a.sub(b)),
            _ => return None,
        }
    }
    let slope = differences[1].sub(&differences[0]);
    let shifts = invert::factors(&slope, &differences[0].neg());
    Some(shifts.into_iter().map(|shift| Value::BitVec(now.add(&shift))).collect())
}
