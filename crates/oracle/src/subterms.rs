//! Why a model fails, as a table: the subterms of the false assertion and their values.
//!
//! A long assertion and a model side by side leave the arithmetic to the reader. In: a script, the number of a check-sat,
//! and the model that a solver printed for it. Out: each subterm with its value, innermost first, the assertion itself
//! last; nothing if no single assertion is false. Terms under a binder have no value of their own and are left out, and
//! so are literals.

use semantics::eval::{self, Evaluator, Verdict};
use semantics::model::{Model, Notation};
use semantics::value::show::value_text;
use smtlib::Script;
use smtlib::printer::term_text;
use smtlib::term::{Kind, TermId};

/// The maximal number of rows, and the maximal length of a cell.
const ROWS: usize = 14;
const CELL: usize = 120;

/// A subterm and its value, as text.
pub type Row = (String, String);

/// The values of the subterms of the first assertion that is false under a model.
pub fn subterms(script: &mut Script, check: usize, model: &[u8], notation: Notation) -> Vec<Row> {
    let at = script.commands.iter().enumerate().filter(|(_, command)| command.is_check()).nth(check);
    let Some((command, _)) = at else { return vec![] };
    let Ok(model) = Model::parse_at(script, command, model, notation) else { return vec![] };
    let report = eval::check::check(script, &model, check);
    let is_false = |assertion: &&eval::check::Assertion| assertion.truth.value == Verdict::False;
    let Some(assertion) = report.assertions.iter().find(is_false) else { return vec![] };
    let mut evaluator = Evaluator::new(&script.pool, &model);
    let mut rows: Vec<Row> = vec![];
    for term in inside_out(script, assertion.term) {
        let Ok(value) = evaluator.eval_term(term) else { continue };
        let value = value_text(&script.pool, script.pool.sort_of(term), &value);
        rows.push((cut(&term_text(&script.pool, term)), cut(&value)));
    }
    // The outermost terms matter most.
    rows.drain(..rows.len().saturating_sub(ROWS));
    rows
}

/// The subterms without literals, each once, arguments before what they are arguments of.
fn inside_out(script: &Script, root: TermId) -> Vec<TermId> {
    let (mut order, mut stack) = (vec![], vec![(root, false)]);
    while let Some((term, done)) = stack.pop() {
        if order.contains(&term) || matches!(script.pool.kind(term), Kind::Lit(..)) {
            continue;
        }
        if done {
            order.push(term);
            continue;
        }
        stack.push((term, true));
        // A term with binders has a value, its parts have none.
        if !matches!(script.pool.kind(term), Kind::Let(_) | Kind::Quant(..) | Kind::Match(_)) {
            stack.extend(script.pool.args(term).iter().rev().map(|&arg| (arg, false)));
        }
    }
    order
}

fn cut(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subterms_of_the_false_assertion_have_their_values() {
        let text = "(declare-const x Int)(assert (> x 0))(assert (= (mod x 3) (+ x 1)))(check-sat)";
        let mut script = Script::parse(text.as_bytes()).unwrap();
        let model = b"((define-fun x () Int 4))";
        let rows = subterms(&mut script, 0, model, Notation::default());
        let rows: Vec<(&str, &str)> =
            rows.iter().map(|(term, value)| (term.as_str(), value.as_str())).collect();
        let expected = [("x", "4"), ("(mod x 3)", "1"), ("(+ x 1)", "5"), ("(= (mod x 3) (+ x 1))", "false")];
        assert_eq!(rows, expected);
        assert!(subterms(&mut script, 0, b"((define-fun x () Int (- 1)))", Notation::default()).len() < 4);
    }
}
