//! Recognises known bugs: removes the core operator of a known bug from a formula and checks whether a solver is still
//! wrong about it.
//!
//! A flood of one bug must not cost a reduction for each hit. The *core operator* of a reduced bug is its innermost
//! operator that is not a connective: in a form that cannot be reduced further, the operators around it are only needed
//! to reach it. If there is none, it is a function of the script or an equality, together with the sort that it
//! compares: `(distinct a b)` of two sequences can be enough for a crash. Every term with that operator is replaced by
//! a new constant. If the solver is then right, the hit is explained by that bug; if it is still wrong, there is
//! another bug, and the masked formula is the better one to reduce. So a frequent bug cannot hide a rare one.
//!
//! In: a reduced form and a formula. Out: the masked formula. A solver decides whether it is still wrong. That a hit is
//! explained is an assumption (two bugs may share a core operator), so callers should also compare the releases that
//! show it.

use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::printer::sort_text;
use smtlib::term::{Kind, Role, TermId};
use smtlib::theory::Row;
use smtlib::{Pool, Script, Sort, SortId};
use std::cmp::Reverse;

/// The prefix of the names of new constants.
const NAME: &str = "falsum-mask-";

/// The operator that a bug is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoreOperator {
    name: String,
    /// Operators that are masked with it.
    kin: Vec<&'static str>,
}

impl CoreOperator {
    /// Of a reduced form: the innermost operator outside Core, the longest of those that are equally deep.
    pub fn of(reduced: &[u8]) -> Option<CoreOperator> {
        let snapshot = Snapshot::read(reduced)?;
        let operators = (0..snapshot.places.len()).filter_map(|at| {
            let (rank, name) = operator(&snapshot, at)?;
            Some((rank, snapshot.depths[at], snapshot.range(at).len(), Reverse(name)))
        });
        operators.max().map(|(.., name)| CoreOperator::named(name.0))
    }

    /// The operator that an earlier triage has recorded.
    pub fn named(name: String) -> CoreOperator {
        CoreOperator { name, kin: vec![] }
    }

    /// With the operators of its theory that take and give the same sorts: what corrupts memory in one of them often does
    /// so in all.
    pub fn with_kin(self) -> CoreOperator {
        let rows = || smtlib::theory::rows().iter();
        let like = |row: &&Row| {
            rows().any(|own| {
                own.name == self.name
                    && own.theory == row.theory
                    && (&own.indices, &own.args, &own.result) == (&row.indices, &row.args, &row.result)
            })
        };
        let kin = rows().filter(like).map(|row| row.name).filter(|name| *name != self.name).collect();
        CoreOperator { kin, ..self }
    }

    pub fn as_str(&self) -> &str {
        &self.name
    }

    fn is(&self, name: &str) -> bool {
        self.name == name || self.kin.contains(&name)
    }

    /// Whether a formula has a term with the operator.
    pub fn occurs_in(&self, text: &[u8]) -> bool {
        Snapshot::read(text).is_some_and(|snapshot| {
            (0..snapshot.places.len())
                .any(|at| operator(&snapshot, at).is_some_and(|(_, name)| self.is(&name)))
        })
    }

    /// The formula with a new constant in place of every outermost term that has the operator; `None` without any.
    pub fn mask(&self, text: &[u8]) -> Option<Vec<u8>> {
        let snapshot = Snapshot::read(text)?;
        let (mut edits, mut next) = (vec![], 0);
        // It may have been masked before, for another operator.
        let taken = snapshot.text.windows(NAME.len()).filter(|window| *window == NAME.as_bytes()).count();
        for at in 0..snapshot.places.len() {
            if at < next || operator(&snapshot, at).is_none_or(|(_, name)| !self.is(&name)) {
                continue;
            }
            next = snapshot.after(at);
            let name = format!("{NAME}{}", taken + edits.len());
            let mut declaration = format!("(declare-const {name} ").into_bytes();
            smtlib::printer::write_sort(&mut declaration, snapshot.pool(), snapshot.sort(at));
            declaration.extend_from_slice(b")\n");
            let command = snapshot.command_range(snapshot.places[at].command as usize).start;
            edits.push(Edit::replace(snapshot.range(at), name).and(command..command, declaration));
        }
        if edits.is_empty() {
            return None;
        }
        let masked = Edit::apply(&snapshot.text, &edits.iter().collect::<Vec<_>>());
        Script::parse(&masked).is_ok().then_some(masked)
    }
}

/// What can be a core operator, the most likely one last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// An equality or an `ite` of something else than truth values.
    Core,
    /// A function, constructor or selector of the script.
    Script,
    Theory,
}

/// The name of a compound term's operator, unless it is a connective. A symbol of the script is named by its role.
fn operator(snapshot: &Snapshot, at: usize) -> Option<(Rank, String)> {
    let (pool, last) = (snapshot.pool(), *snapshot.pool().args(snapshot.places[at].term).last()?);
    let is_literal = |arg: &TermId| matches!(pool.kind(*arg), Kind::Lit(..));
    match snapshot.kind(at) {
        // A number in three parts is a value.
        Kind::Op { op, .. }
            if op.row().name == "fp" && pool.args(snapshot.places[at].term).iter().all(is_literal) =>
        {
            None
        }
        Kind::Op { op, .. } if op.row().theory != "Core" => Some((Rank::Theory, op.row().name.to_owned())),
        Kind::Op { op, .. } => {
            let sort = sort_name(pool, pool.sort_of(last))?;
            // A solver rewrites one of these two into the other.
            let name = if op.row().name == "distinct" { "=" } else { op.row().name };
            Some((Rank::Core, format!("{name} of {sort}")))
        }
        Kind::Quant(quantifier, _) => Some((Rank::Theory, quantifier.name().to_owned())),
        Kind::Fun { decl, .. } => Some((Rank::Script, role_name(&pool.decl(decl).role).to_owned())),
        Kind::Tester { .. } => Some((Rank::Script, "a tester".to_owned())),
        Kind::Updater { .. } => Some((Rank::Script, "an update".to_owned())),
        Kind::Match(_) => Some((Rank::Script, "match".to_owned())),
        Kind::Lit(..) | Kind::Var(_) | Kind::Let(_) | Kind::Annot(_) => None,
    }
}

fn role_name(role: &Role) -> &'static str {
    match role {
        Role::Declared => "a function",
        Role::Defined { .. } => "a definition",
        Role::Named(_) => "a name",
        Role::Constructor { .. } => "a constructor",
        Role::Selector { .. } => "a selector",
    }
}

/// The name of a sort's constructor, such as `Seq`; `None` for truth values.
fn sort_name(pool: &Pool, sort: SortId) -> Option<String> {
    match pool.sort(sort) {
        Sort::Bool => None,
        Sort::Declared(..) => Some("a sort of the script".to_owned()),
        _ => {
            let text = sort_text(pool, sort);
            let head = text.trim_start_matches(['(', '_', ' ']);
            Some(head.split([' ', ')']).next().unwrap_or(head).to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core_operator(text: &str) -> Option<String> {
        CoreOperator::of(text.as_bytes()).map(|operator| operator.as_str().to_owned())
    }

    #[test]
    fn the_core_operator_is_the_innermost_operator_that_is_not_a_connective() {
        assert_eq!(
            core_operator("(declare-const a Int)(assert (< 0 (div a (ite (= a 0) 1 2))))(check-sat)")
                .as_deref(),
            Some("div")
        );
        assert_eq!(core_operator("(assert (xor true false))(check-sat)"), None);
        assert_eq!(
            core_operator("(assert (forall ((a Int)) (= a 0)))(check-sat)").as_deref(),
            Some("forall"),
            "quantifiers count"
        );
        assert_eq!(
            core_operator("(declare-fun a () (Seq Int))(assert (distinct a a))(check-sat)").as_deref(),
            Some("= of Seq"),
            "where nothing else is left"
        );
        assert_eq!(
            core_operator("(declare-fun f (Int) Int)(assert (= 0 (f 0)))(check-sat)").as_deref(),
            Some("a function"),
            "whatever its name is"
        );
    }

    #[test]
    fn a_bit_vector_bug_is_masked_wherever_it_occurs() {
        let operator =
            CoreOperator::of(b"(set-logic QF_BV)(assert (= #b0 (bvashr #b0 #b0)))(check-sat)").unwrap();
        assert_eq!(operator.as_str(), "bvashr");
        let text = b"(set-logic QF_BV)(declare-const z (_ BitVec 8))(assert (= z (bvneg z)))\
            (assert (= z (bvashr (bvadd z z) #x03)))(check-sat)";
        let masked = String::from_utf8(operator.mask(text).unwrap()).unwrap();
        assert!(masked.contains("(bvneg z)") && !masked.contains("bvashr"), "{masked}");
        let again = CoreOperator::named("bvneg".into()).mask(masked.as_bytes()).unwrap();
        assert!(
            !String::from_utf8(again).unwrap().contains("bvneg"),
            "two bugs can be masked in one formula"
        );
    }

    #[test]
    fn a_masked_formula_has_no_such_operator_and_is_well_typed() {
        let text = b"(declare-const x Int)(define-fun f ((a Int)) Int (mod a 2))\
            (assert (forall ((y Int)) (> (+ (mod (mod y x) x) (f y)) (mod x 3))))(check-sat)";
        let masked = CoreOperator::named("mod".into()).mask(text).unwrap();
        let masked = String::from_utf8(masked).unwrap();
        assert!(
            !masked.contains("(mod ") && masked.matches("declare-const falsum-mask").count() == 3,
            "{masked}"
        );
        assert!(Script::parse(masked.as_bytes()).is_ok());
        assert_eq!(CoreOperator::named("div".into()).mask(text), None);
    }

    #[test]
    fn a_number_in_three_parts_is_a_value_and_no_core_operator() {
        let text = "(assert ((_ tree-order 0) (fp #b0 #b01 #b01) (_ NaN 2 3)))(check-sat)";
        assert_eq!(core_operator(text).as_deref(), Some("tree-order"));
    }

    #[test]
    fn the_kin_of_an_operator_take_and_give_the_same_sorts() {
        let order = CoreOperator::named("linear-order".into()).with_kin();
        assert!(order.is("tree-order") && order.is("linear-order") && !order.is("transitive-closure"));
        let text = b"(declare-const a Int)(assert ((_ tree-order 0) a 1))(check-sat)";
        assert!(
            order.mask(text).is_some() && CoreOperator::named("linear-order".into()).mask(text).is_none()
        );
    }
}
