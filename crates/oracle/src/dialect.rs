//! The same script in the words of another solver.
//!
//! A theory that has no standard has other names elsewhere: z3's `FiniteSet` is cvc5's `Set`. The profile of a solver
//! lists how what others say is said to it (`[[translations]]`): a name for a name, or a term for a term with `?x` for
//! arguments. `translate` applies the rows to a script as S-expressions, innermost first; relations that z3 knows by
//! themselves (`(_ partial-order 0)`) become functions with axioms. `back` puts a model that was printed in answer into
//! the words of the original, so that it can be evaluated against the *original* script: a mistake in a row can then
//! cost a certificate, but can never make a wrong one.
//!
//! In: a profile and a script. Out: the translated text, or nothing if no row applies. Every row is verified in the
//! evaluator (`tests/dialects.rs`), as fusion functions are.

use smtlib::printer::sort_text;
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::term::{Index, Kind};
use smtlib::{Script, TermId};
use solver::profile::{Profile, Translation};

/// An S-expression that can be taken apart and put together.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Atom(Vec<u8>),
    List(Vec<Node>),
}

impl Node {
    fn read(forest: &Forest<'_>, sexp: Sexp) -> Node {
        match forest.view(sexp) {
            View::List(items) => Node::List(items.iter().map(|&item| Node::read(forest, item)).collect()),
            _ => Node::Atom(forest.text(sexp).to_vec()),
        }
    }

    /// The one expression of a text.
    fn of(text: &str) -> Option<Node> {
        let forest = Forest::read(text.as_bytes()).ok()?;
        Some(Node::read(&forest, *forest.roots().first()?))
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Node::Atom(text) => out.extend_from_slice(text),
            Node::List(items) => {
                out.push(b'(');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push(b' ');
                    }
                    item.write(out);
                }
                out.push(b')');
            }
        }
    }

    fn starts_with(&self, name: &[u8]) -> bool {
        matches!(self, Node::List(items) if items.first() == Some(&Node::Atom(name.to_vec())))
    }
}

/// What the variables of a pattern stand for.
type Binding<'n> = Vec<(&'n [u8], &'n Node)>;

/// Whether an expression fits a pattern; a variable that occurs twice stands for the same expression.
fn fits<'n>(pattern: &'n Node, node: &'n Node, bound: &mut Binding<'n>) -> bool {
    match (pattern, node) {
        (Node::Atom(name), _) if name.starts_with(b"?") => {
            match bound.iter().find(|(known, _)| known == name) {
                Some((_, known)) => *known == node,
                None => {
                    bound.push((name, node));
                    true
                }
            }
        }
        (Node::Atom(a), Node::Atom(b)) => a == b,
        (Node::List(a), Node::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| fits(a, b, bound))
        }
        _ => false,
    }
}

fn filled(template: &Node, bound: &Binding<'_>) -> Node {
    match template {
        Node::Atom(name) => {
            let value = bound.iter().find(|(known, _)| known == name).map(|(_, node)| (*node).clone());
            value.unwrap_or_else(|| template.clone())
        }
        Node::List(items) => Node::List(items.iter().map(|item| filled(item, bound)).collect()),
    }
}

/// A row that has been read.
struct Rule {
    from: Node,
    to: Node,
}

fn rules(rows: &[Translation]) -> Vec<Rule> {
    let rule = |row: &Translation| Some(Rule { from: Node::of(&row.from)?, to: Node::of(&row.to)? });
    rows.iter().filter_map(rule).collect()
}

/// Applies the rules from the inside out; says whether any did.
fn rewrite(node: &mut Node, rules: &[Rule]) -> bool {
    let mut changed = false;
    if let Node::List(items) = node {
        for item in items {
            changed |= rewrite(item, rules);
        }
    }
    for rule in rules {
        let mut bound = vec![];
        if fits(&rule.from, node, &mut bound) {
            *node = filled(&rule.to, &bound);
            return true;
        }
    }
    changed
}

/// The script in the words of a solver; `None` if its words are the same, or what comes out is no script.
pub fn translate(profile: &Profile, script: &Script, text: &[u8]) -> Option<Vec<u8>> {
    let rules = rules(&profile.translations);
    let forest = Forest::read(text).ok()?;
    let mut commands: Vec<Node> = forest.roots().iter().map(|&root| Node::read(&forest, root)).collect();
    let mut changed = false;
    for command in &mut commands {
        changed |= rewrite(command, &rules);
    }
    let axioms = relations(profile, script)?;
    if !axioms.is_empty() {
        commands.iter_mut().for_each(|command| name_relations(command, profile));
    }
    if !changed && axioms.is_empty() {
        return None;
    }
    let first = commands.iter().position(|command| command.starts_with(b"assert")).unwrap_or(commands.len());
    commands.splice(first..first, axioms);
    let mut out = vec![];
    for command in commands.iter().filter(|command| !command.starts_with(b"set-logic")) {
        command.write(&mut out);
        out.push(b'\n');
    }
    Some(out)
}

/// The declarations and axioms of the relations that a script uses. `None` if one number is used with two sorts.
fn relations(profile: &Profile, script: &Script) -> Option<Vec<Node>> {
    let mut known: Vec<(String, String)> = vec![];
    let mut commands = vec![];
    let pool = &script.pool;
    for term in (0..pool.len() as u32).map(TermId) {
        let Kind::Op { op, indices, .. } = pool.kind(term) else { continue };
        let Some(row) = profile.relations.iter().find(|row| row.name == op.row().name) else { continue };
        let Some(Index::Num(number)) = pool.index_list(indices).first() else { continue };
        let sort = sort_text(pool, pool.sort_of(*pool.args(term).first()?));
        let function = format!("|{} {number}|", row.name);
        match known.iter().find(|(name, _)| *name == function) {
            Some((_, other)) if *other != sort => return None,
            Some(_) => continue,
            None => known.push((function.clone(), sort.clone())),
        }
        commands.push(Node::of(&format!("(declare-fun {function} ({sort} {sort}) Bool)"))?);
        for axiom in &row.axioms {
            let axiom = axiom.replace("{f}", &function).replace("{S}", &sort);
            commands.push(Node::of(&format!("(assert {axiom})"))?);
        }
    }
    Some(commands)
}

/// Puts the name of its function for every `(_ partial-order 0)`.
fn name_relations(node: &mut Node, profile: &Profile) {
    let Node::List(items) = node else { return };
    if let [Node::Atom(index), Node::Atom(name), Node::Atom(number)] = &items[..]
        && index == b"_"
        && profile.relations.iter().any(|row| row.name.as_bytes() == name)
    {
        *node = Node::Atom([&b"|"[..], name, b" ", number, b"|"].concat());
        return;
    }
    items.iter_mut().for_each(|item| name_relations(item, profile));
}

/// A model that was printed for the translated script, in the words of the original: names are exchanged back.
pub fn back(profile: &Profile, model: &[u8]) -> Vec<u8> {
    let is_name = |text: &str| !text.starts_with('(');
    let rows = profile.translations.iter().filter(|row| row.from != row.to);
    let names = rows.filter(|row| is_name(&row.from) && is_name(&row.to) && !row.one_way);
    let rule = |row: &Translation| Some(Rule { from: Node::of(&row.to)?, to: Node::of(&row.from)? });
    let rules: Vec<Rule> = names.filter_map(rule).collect();
    let Ok(forest) = Forest::read(model) else { return model.to_vec() };
    let mut out = vec![];
    for &root in forest.roots() {
        let mut node = Node::read(&forest, root);
        rewrite(&mut node, &rules);
        node.write(&mut out);
        out.push(b'\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::Profiles;

    fn said_to(solver: &str, text: &str) -> Option<String> {
        let script = Script::parse(text.as_bytes()).unwrap();
        let translated = translate(&Profiles::embedded().get(solver), &script, text.as_bytes())?;
        Some(String::from_utf8(translated).unwrap())
    }

    #[test]
    fn finite_sets_of_z3_are_sets_of_cvc5_and_back() {
        let text = "(declare-const s (FiniteSet Int))\n(assert (and (set.in 1 s) (= (set.size s) 2)))\n(check-sat)\n";
        let other =
            "(declare-const s (Set Int))\n(assert (and (set.member 1 s) (= (set.card s) 2)))\n(check-sat)\n";
        assert_eq!(said_to("cvc5", text).as_deref(), Some(other));
        assert_eq!(said_to("z3", other).as_deref(), Some(text));
        let model = b"((define-fun s () (Set Int) (set.union (set.singleton 1) (set.singleton 2))))";
        let original = back(&Profiles::embedded().get("cvc5"), model);
        assert!(original.starts_with(b"((define-fun s () (FiniteSet Int)"));
    }

    #[test]
    fn a_script_that_needs_no_other_words_is_not_translated() {
        assert_eq!(said_to("cvc5", "(declare-const x Int)(assert (> x 0))(check-sat)"), None);
    }

    #[test]
    fn a_term_is_exchanged_for_a_term_with_its_arguments() {
        let text = "(declare-const x (_ BitVec 4))(assert (bvumul_noovfl x (bvadd x x)))(check-sat)";
        let said = said_to("cvc5", text).unwrap();
        assert!(said.contains("(assert (not (bvumulo x (bvadd x x))))"), "{said}");
    }

    #[test]
    fn a_relation_becomes_a_function_with_axioms() {
        let text = "(declare-sort U 0)(declare-const a U)(assert ((_ partial-order 3) a a))(check-sat)";
        let said = said_to("cvc5", text).unwrap();
        assert!(said.contains("(declare-fun |partial-order 3| (U U) Bool)"), "{said}");
        assert!(said.contains("(assert (|partial-order 3| a a))"), "{said}");
        assert!(said.matches("forall").count() >= 3, "{said}");
    }

    #[test]
    fn relations_of_one_number_on_two_sorts_are_not_translated_and_on_one_sort_they_are_declared_once() {
        let script = |other: &str| {
            format!(
                "(declare-sort U 0)(declare-sort V 0)(declare-const a U)(declare-const b {other})\
                 (assert ((_ partial-order 3) a a))(assert ((_ partial-order 3) b b))(check-sat)"
            )
        };
        assert_eq!(said_to("cvc5", &script("V")), None, "they are two relations");
        let said = said_to("cvc5", &script("U")).unwrap();
        assert_eq!(said.matches("(declare-fun |partial-order 3|").count(), 1, "{said}");
    }
}
