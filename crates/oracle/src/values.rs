//! What a solver says about single terms after `sat`, compared with its own model.
//!
//! The standard (SMT-LIB 2.6, section 4.2.6) answers `get-value`, `get-assignment` and `get-model` after one check-sat
//! from one model. So the value of a term is the value that it has under the printed model, and the value of an asserted
//! formula is true. In: a script with such requests of its own, and what a solver printed. Out: a contradiction between
//! its responses, in words, or nothing.
//!
//! It must never find one in what we cannot read. For every value a constant of its sort is added to the script, the
//! value is added to the model as its definition, and the term is asserted to equal it; then the model is evaluated as
//! every model is (`certify.rs`): it fails only if no choice at the points that the standard or the model leaves open
//! makes all of it true. Terms with quantifiers and values of declared sorts are left out, and so are responses that do
//! not have exactly the requested shape.

use crate::certify::{ModelCheck, check_model_within};
use crate::question::{in_force, push_line};
use semantics::eval::EvalLimits;
use semantics::model::Notation;
use smtlib::printer::{sort_text, term_text};
use smtlib::script::{Command, Script};
use smtlib::sexp::{Forest, View};
use smtlib::sort::{Sort, SortId};
use smtlib::term::{AttrValue, Kind, Role, TermId};
use solver::reading::is_own_request;

/// A term and the value that a solver printed for it.
#[derive(Clone, Debug)]
struct Valued {
    term: TermId,
    value: Vec<u8>,
    /// The command that requested it.
    by: &'static str,
}

/// The constants that stand for values; a script that has such a name is left alone.
const CONSTANT: &str = "falsum!value!";

/// Whether a check-sat of a script is followed by a request of this name, with nothing between that changes what is
/// asserted.
pub(crate) fn is_followed_by(script: &Script, check: usize, request: &[u8]) -> bool {
    requests(script, check).iter().any(|(_, command)| match command {
        Command::Other { name, .. } => script.pool.bytes(*name) == request,
        Command::GetValue(_) => request == b"get-value",
        _ => false,
    })
}

/// The requests after a check-sat, each with its number among those that have one.
fn requests(script: &Script, check: usize) -> Vec<(usize, &Command)> {
    let mut found = vec![];
    let mut number = 0;
    let checks = script.commands.iter().enumerate().filter(|(_, command)| command.is_check());
    let Some((at, _)) = checks.into_iter().nth(check) else { return found };
    for command in &script.commands[at + 1..] {
        let own = match command {
            Command::GetValue(_) => true,
            Command::Other { name, rest } => {
                let (name, rest) = (script.pool.bytes(*name), script.pool.bytes(*rest));
                if !name.starts_with(b"get-") && !matches!(name, b"echo" | b"eval" | b"simplify") {
                    return found;
                }
                is_own_request(name, rest.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()))
            }
            Command::SetInfo(..) => false,
            _ => return found,
        };
        found.push((number, command));
        number += usize::from(own);
    }
    found
}

/// How the responses after a `sat` contradict each other, in words.
pub fn contradiction(
    script: &Script,
    check: usize,
    said: &solver::Check,
    notation: Notation,
    limits: EvalLimits,
) -> Option<String> {
    if said.answer != Some(solver::Answer::Sat) {
        return None;
    }
    let valued = valued(script, check, said);
    if valued.is_empty() {
        return None;
    }
    denied(script, check, &valued).or_else(|| {
        let model = said.model.as_deref()?;
        let fails = |some: &[Valued]| fails(script, check, some, model, notation, limits);
        if !fails(&valued) {
            return None;
        }
        let one = valued.iter().find(|one| fails(std::slice::from_ref(one)));
        Some(match one {
            Some(one) => {
                format!(
                    "`{}` gives {}, but not so under the model that it printed",
                    one.by,
                    shown(script, one)
                )
            }
            None => {
                let each: Vec<String> = valued.iter().map(|one| shown(script, one)).collect();
                format!("the model that it printed does not give all of {}", each.join(", "))
            }
        })
    })
}

fn shown(script: &Script, one: &Valued) -> String {
    let cut = |text: String| match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    let term = cut(term_text(&script.pool, one.term));
    format!("{term} the value {}", cut(String::from_utf8_lossy(&one.value).into_owned()))
}

/// The most characters of a term or a value that are shown.
const SHOWN: usize = 160;

/// The terms that have a value in the responses.
fn valued(script: &Script, check: usize, said: &solver::Check) -> Vec<Valued> {
    let mut found = vec![];
    for (number, command) in requests(script, check) {
        let response = said.responses.iter().find(|response| response.number == number);
        let Some(response) = response.and_then(|response| pairs(&response.text)) else { continue };
        match command {
            Command::GetValue(terms) if terms.len() == response.len() => {
                let each = terms.iter().zip(response);
                found.extend(each.map(|(&term, (_, value))| Valued { term, value, by: "get-value" }));
            }
            Command::Other { name, .. } if script.pool.bytes(*name) == b"get-assignment" => {
                let labels = labels(script, check);
                for (name, value) in response {
                    let known = labels.iter().filter(|(label, _)| *label == name).map(|&(_, term)| term);
                    let known: Vec<TermId> = known.collect();
                    if let ([term], b"true" | b"false") = (&known[..], &value[..]) {
                        found.push(Valued { term: *term, value, by: "get-assignment" });
                    }
                }
            }
            _ => {}
        }
    }
    for one in &mut found {
        one.term = unwrapped(script, one.term);
    }
    found.retain(|one| is_plain(script, one.term));
    found
}

/// The pairs of a response; `None` if it is anything else. Names are without bars.
fn pairs(text: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let forest = Forest::read(text).ok()?;
    let [root] = forest.roots() else { return None };
    let View::List(items) = forest.view(*root) else { return None };
    let pair = |&item: &_| match forest.view(item) {
        View::List([term, value]) => {
            let name = forest.text(*term);
            let name = name.strip_prefix(b"|").and_then(|name| name.strip_suffix(b"|")).unwrap_or(name);
            Some((name.to_vec(), forest.text(*value).to_vec()))
        }
        _ => None,
    };
    items.iter().map(pair).collect()
}

/// The labels of Boolean terms in the assertions in force.
fn labels(script: &Script, check: usize) -> Vec<(Vec<u8>, TermId)> {
    let pool = &script.pool;
    let mut found: Vec<(Vec<u8>, TermId)> = vec![];
    for (_, asserted) in script.in_force(check) {
        for term in pool.subterms(asserted) {
            let Kind::Annot(attrs) = pool.kind(term) else { continue };
            for attr in pool.attr_list(attrs) {
                let AttrValue::Name(decl) = attr.value else { continue };
                let entry = (pool.bytes(pool.decl(decl).name).to_vec(), term);
                if pool.sort_of(term) == SortId::BOOL && !found.contains(&entry) {
                    found.push(entry);
                }
            }
        }
    }
    found
}

/// The term that a label or an annotation stands for.
fn unwrapped(script: &Script, mut term: TermId) -> TermId {
    let pool = &script.pool;
    loop {
        term = match pool.kind(term) {
            Kind::Annot(_) => pool.args(term)[0],
            Kind::Fun { decl, .. } => match pool.decl(decl).role {
                Role::Named(inner) => inner,
                _ => return term,
            },
            _ => return term,
        };
    }
}

/// Whether a value of the term can be compared: no quantifier, nothing free, no sort whose elements have no fixed names.
fn is_plain(script: &Script, term: TermId) -> bool {
    let pool = &script.pool;
    let declares = script.commands.iter().any(|command| matches!(command, Command::DeclareSort(_)));
    let closed = pool.subterms(term).into_iter().all(|part| match pool.kind(part) {
        Kind::Quant(..) | Kind::Let(_) | Kind::Match(_) | Kind::Var(_) => false,
        Kind::Fun { decl, .. } => !matches!(pool.decl(decl).role, Role::Named(_)),
        _ => true,
    });
    closed && has_named_values(script, pool.sort_of(term), declares)
}

fn has_named_values(script: &Script, sort: SortId, declares: bool) -> bool {
    let has = |sort: &SortId| has_named_values(script, *sort, declares);
    match script.pool.sort(sort) {
        Sort::Bool | Sort::Int | Sort::Real | Sort::String | Sort::RoundingMode => true,
        Sort::BitVec(_) | Sort::Float { .. } => true,
        Sort::Array(index, element) => has(index) && has(element),
        Sort::Seq(element) => has(element),
        Sort::Declared(_, args) => {
            let finite = script.pool.datatype(sort).is_some_and(|(datatype, _)| !datatype.coinductive);
            !declares && finite && args.iter().all(has)
        }
        _ => false,
    }
}

/// An asserted formula whose value is not true, whatever the model is. What depends on open points is left to the model.
fn denied(script: &Script, check: usize, valued: &[Valued]) -> Option<String> {
    let pool = &script.pool;
    let asserted: Vec<TermId> =
        script.in_force(check).into_iter().map(|(_, term)| unwrapped(script, term)).collect();
    let open = |term: TermId| {
        pool.subterms(term).into_iter().any(|part| match pool.kind(part) {
            Kind::Op { op, .. } => op.row().divergent || op.row().under.is_some(),
            Kind::Fun { decl, .. } => matches!(pool.decl(decl).role, Role::Selector { .. }),
            _ => false,
        })
    };
    let one =
        valued.iter().find(|one| one.value == b"false" && asserted.contains(&one.term) && !open(one.term))?;
    Some(format!("{} is asserted, and `{}` says false", term_text(pool, one.term), one.by))
}

/// Whether the model refutes that these terms have these values.
fn fails(
    script: &Script,
    check: usize,
    valued: &[Valued],
    model: &[u8],
    notation: Notation,
    limits: EvalLimits,
) -> bool {
    let Some((text, definitions)) = restated(script, check, valued) else { return false };
    let Some(model) = with_definitions(model, &definitions) else { return false };
    let Ok(mut script) = Script::parse(&text) else { return false };
    let checked = check_model_within(&mut script, 0, &model, notation, limits);
    matches!(checked, ModelCheck::Refuted { .. })
}

/// A script that asserts the values alone, and the definitions of the constants that stand for them.
fn restated(script: &Script, check: usize, valued: &[Valued]) -> Option<(Vec<u8>, Vec<u8>)> {
    let pool = &script.pool;
    if pool.decls.iter().any(|decl| pool.bytes(decl.name).starts_with(CONSTANT.as_bytes())) {
        return None;
    }
    let (commands, _) = in_force(script, check)?;
    let (mut text, mut definitions) = (vec![], vec![]);
    for command in commands.into_iter().filter(|command| !matches!(command, Command::Assert(_))) {
        push_line(&mut text, script, command);
    }
    for (n, one) in valued.iter().enumerate() {
        let sort = sort_text(pool, pool.sort_of(one.term));
        let term = term_text(pool, one.term);
        text.extend(
            format!("(declare-const {CONSTANT}{n} {sort})\n(assert (= {term} {CONSTANT}{n}))\n").bytes(),
        );
        definitions.extend(format!("(define-fun {CONSTANT}{n} () {sort} ").bytes());
        definitions.extend_from_slice(&one.value);
        definitions.extend_from_slice(b")\n");
    }
    text.extend_from_slice(b"(check-sat)\n");
    Some((text, definitions))
}

/// A model with more definitions; `None` if it is not one list of definitions.
fn with_definitions(model: &[u8], definitions: &[u8]) -> Option<Vec<u8>> {
    let model = model.trim_ascii();
    let forest = Forest::read(model).ok()?;
    let [root] = forest.roots() else { return None };
    let View::List(items) = forest.view(*root) else { return None };
    let first = items.first().and_then(|&item| forest.atom(item));
    let body = model.strip_suffix(b")")?;
    (first.is_none() || first == Some(b"model")).then(|| [body, b"\n", definitions, b")"].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::{Answer, Response};

    fn said(model: Option<&str>, responses: &[(usize, &str)]) -> solver::Check {
        let response = |&(number, text): &(usize, &str)| Response { number, text: text.as_bytes().to_vec() };
        solver::Check {
            answer: Some(Answer::Sat),
            model: model.map(|model| model.as_bytes().to_vec()),
            responses: responses.iter().map(response).collect(),
            ..solver::Check::default()
        }
    }

    fn look(script: &str, check: usize, said: &solver::Check) -> Option<String> {
        let script = Script::parse(script.as_bytes()).unwrap();
        contradiction(&script, check, said, Notation::default(), EvalLimits::default())
    }

    const SCRIPT: &str = "(declare-const x Int)(declare-fun f (Int) Int)(declare-const a (Array Int Int))\
        (assert (! (> x 0) :named n))(assert (or (! (= x 7) :named m) (> (f x) 1)))(check-sat)\
        (get-value (x (+ x 1) (f 3) (select a x)))(get-assignment)";
    const MODEL: &str = "((define-fun x () Int 5) (define-fun f ((y Int)) Int (ite (= y 3) 4 2)))";

    #[test]
    fn values_that_the_model_gives_are_fine_and_what_it_leaves_out_may_be_anything() {
        let fine = said(
            Some(MODEL),
            &[(0, "((x 5) ((+ x 1) 6) ((f 3) 4) ((select a x) 99))"), (1, "((n true) (m false))")],
        );
        assert_eq!(look(SCRIPT, 0, &fine), None);
        assert_eq!(
            look(SCRIPT, 0, &said(Some("()"), &[(0, "((x 5) ((+ x 1) 6) ((f 3) 4) ((select a x) 99))")])),
            None
        );
        assert_eq!(
            look(SCRIPT, 0, &said(None, &[(0, "((x 5) ((+ x 1) 7) ((f 3) 4) ((select a x) 0))")])),
            None
        );
    }

    #[test]
    fn a_value_that_the_model_contradicts_is_found_and_named() {
        let wrong = said(Some(MODEL), &[(0, "((x 5) ((+ x 1) 7) ((f 3) 4) ((select a x) 0))")]);
        let why = look(SCRIPT, 0, &wrong).unwrap();
        assert!(why.starts_with("`get-value` gives (+ x 1) the value 7"), "{why}");
        let label = said(Some(MODEL), &[(1, "((n true) (m true))")]);
        let why = look(SCRIPT, 0, &label).unwrap();
        assert!(why.starts_with("`get-assignment` gives (= x 7) the value true"), "{why}");
    }

    #[test]
    fn values_that_contradict_each_other_where_the_model_says_nothing_are_found() {
        let script = "(declare-const x Int)(assert true)(check-sat)(get-value (x (+ x 1)))";
        assert!(look(script, 0, &said(Some("()"), &[(0, "((x 5) ((+ x 1) 7))")])).is_some());
        assert_eq!(look(script, 0, &said(Some("()"), &[(0, "((x 5) ((+ x 1) 6))")])), None);
    }

    #[test]
    fn an_asserted_formula_that_is_said_to_be_false_needs_no_model() {
        let why = look(SCRIPT, 0, &said(None, &[(1, "((n false))")])).unwrap();
        assert!(why.contains("(> x 0) is asserted"), "{why}");
        let open = "(declare-const x Int)(assert (= (div x 0) 5))(check-sat)(get-value ((= (div x 0) 5)))";
        assert_eq!(look(open, 0, &said(None, &[(0, "(((= (div x 0) 5) false))")])), None, "an open point");
    }

    #[test]
    fn what_the_standard_leaves_open_may_have_any_value_but_only_one() {
        let script =
            "(declare-const x Int)(assert true)(check-sat)(get-value ((div x 0) (mod 3 0) (+ (div x 0) 1)))";
        let model = Some("((define-fun x () Int 5))");
        assert_eq!(
            look(script, 0, &said(model, &[(0, "(((div x 0) 8) ((mod 3 0) 1) ((+ (div x 0) 1) 9))")])),
            None
        );
        assert!(
            look(script, 0, &said(model, &[(0, "(((div x 0) 8) ((mod 3 0) 1) ((+ (div x 0) 1) 3))")]))
                .is_some()
        );
    }

    #[test]
    fn only_requests_before_the_next_change_are_about_the_check() {
        let script = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 9))(get-value (x))\
            (check-sat)(echo \"x\")(get-info :name)(get-value (x))";
        let model = Some("((define-fun x () Int 5))");
        assert_eq!(look(script, 0, &said(model, &[(0, "((x 6))")])), None);
        assert!(look(script, 1, &said(model, &[(1, "((x 6))")])).is_some());
        assert_eq!(
            look(script, 1, &said(model, &[(0, "((x 6))")])),
            None,
            "that is the response to get-info"
        );
    }

    #[test]
    fn responses_of_another_shape_quantifiers_and_declared_sorts_say_nothing() {
        let script = "(declare-sort S 0)(declare-const s S)(declare-const x Int)(assert true)(check-sat)\
            (get-value (x s (forall ((y Int)) (= y x))))";
        let model = Some("((define-fun x () Int 5))");
        let quantified = "((x 5) (s S!val!0) ((forall ((y Int)) (= y x)) true))";
        assert_eq!(look(script, 0, &said(model, &[(0, quantified)])), None);
        for other in ["((x 6))", "(x 6)", "x", "((x 6) (s S!val!0) (y 1) (z 2))", "((x 6 7) (s 1) (y 1))"] {
            assert_eq!(look(script, 0, &said(model, &[(0, other)])), None, "{other}");
        }
        let unknown =
            solver::Check { answer: Some(Answer::Unknown), ..said(model, &[(0, "((x 6) (s a) (q true))")]) };
        assert_eq!(look(script, 0, &unknown), None);
        assert!(look(script, 0, &said(model, &[(0, "((x 6) (s a) (q true))")])).is_some());
    }
}
