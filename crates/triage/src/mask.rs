//! Is it a bug that is known? Takes the heart of a known bug out of a formula and looks whether it is still wrong.
//!
//! A flood of one bug must not cost a reduction for each hit. The *heart* of a reduced bug is its innermost operator
//! that is not a connective: in a form from which nothing more can be taken away, what stands around it only brings
//! it to bear. Where every term with that operator is replaced by a new constant and nothing is wrong any more, the
//! hit is explained by that bug; where something is still wrong, another bug is in there, and the masked formula is
//! the better one to reduce. So a loud bug cannot hide a quiet one.
//!
//! In: a reduced form and a formula. Out: the masked formula. Whether it is wrong is for a solver to say; that a hit
//! is explained is an assumption (two bugs may share a heart), so whoever relies on it should also compare the
//! releases that show it.

use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::Script;
use smtlib::term::Kind;

/// How new constants are called.
const NAME: &str = "falsum-mask-";

/// The operator at the centre of a bug.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Heart(String);

impl Heart {
    /// Of a reduced form: the innermost operator outside Core, the longest of those that are equally deep.
    pub fn of(reduced: &[u8]) -> Option<Heart> {
        let snapshot = Snapshot::read(reduced)?;
        let hearts = (0..snapshot.places.len()).filter_map(|at| {
            let name = operator(&snapshot, at)?;
            Some((snapshot.depths[at], snapshot.range(at).len(), std::cmp::Reverse(name)))
        });
        hearts.max().map(|(_, _, name)| Heart(name.0))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The formula with a new constant in place of every outermost term that has the heart; `None` without any.
    pub fn mask(&self, text: &[u8]) -> Option<Vec<u8>> {
        let snapshot = Snapshot::read(text)?;
        let (mut edits, mut next) = (vec![], 0);
        // It may have been masked before, for another heart.
        let taken = snapshot.text.windows(NAME.len()).filter(|window| *window == NAME.as_bytes()).count();
        for at in 0..snapshot.places.len() {
            if at < next || operator(&snapshot, at).as_deref() != Some(&self.0) {
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

/// The name of a compound term's operator, unless it is a connective, an equality or an `ite`.
fn operator(snapshot: &Snapshot, at: usize) -> Option<String> {
    match snapshot.kind(at) {
        _ if snapshot.is_leaf(at) => None,
        Kind::Op { op, .. } if op.row().theory != "Core" => Some(op.row().name.to_owned()),
        Kind::Quant(quantifier, _) => Some(quantifier.name().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heart(text: &str) -> Option<String> {
        Heart::of(text.as_bytes()).map(|heart| heart.as_str().to_owned())
    }

    #[test]
    fn the_heart_is_the_innermost_operator_that_is_no_connective() {
        assert_eq!(
            heart("(declare-const a Int)(assert (< 0 (div a (ite (= a 0) 1 2))))(check-sat)").as_deref(),
            Some("div")
        );
        assert_eq!(heart("(assert (xor true false))(check-sat)"), None);
        assert_eq!(
            heart("(assert (forall ((a Int)) (= a 0)))(check-sat)").as_deref(),
            Some("forall"),
            "quantifiers count"
        );
    }

    #[test]
    fn a_bit_vector_bug_is_masked_wherever_it_stands() {
        let heart = Heart::of(b"(set-logic QF_BV)(assert (= #b0 (bvashr #b0 #b0)))(check-sat)").unwrap();
        assert_eq!(heart.as_str(), "bvashr");
        let text = b"(set-logic QF_BV)(declare-const z (_ BitVec 8))(assert (= z (bvneg z)))\
            (assert (= z (bvashr (bvadd z z) #x03)))(check-sat)";
        let masked = String::from_utf8(heart.mask(text).unwrap()).unwrap();
        assert!(masked.contains("(bvneg z)") && !masked.contains("bvashr"), "{masked}");
        let again = Heart("bvneg".into()).mask(masked.as_bytes()).unwrap();
        assert!(
            !String::from_utf8(again).unwrap().contains("bvneg"),
            "two bugs can be masked in one formula"
        );
    }

    #[test]
    fn a_masked_formula_has_no_heart_and_is_well_typed() {
        let text = b"(declare-const x Int)(define-fun f ((a Int)) Int (mod a 2))\
            (assert (forall ((y Int)) (> (+ (mod (mod y x) x) (f y)) (mod x 3))))(check-sat)";
        let masked = Heart("mod".into()).mask(text).unwrap();
        let masked = String::from_utf8(masked).unwrap();
        assert!(
            !masked.contains("(mod ") && masked.matches("declare-const falsum-mask").count() == 3,
            "{masked}"
        );
        assert!(Script::parse(masked.as_bytes()).is_ok());
        assert_eq!(Heart("div".into()).mask(text), None);
    }
}
