//! Terms as trees of words: just enough structure to replace a variable or a constant and to write the rest back.
//!
//! A constant is one word whatever its text is: `(- 1)` and `(as seq.empty (Seq Int))` are not looked into, so that
//! replacing 1 leaves −1 alone. Names are never captured: every fresh name is new in its formula.

use smtlib::sexp::{Forest, Sexp, View};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    Word(String),
    List(Vec<Tree>),
}

impl Tree {
    /// All trees of a text; `None` if a parenthesis is missing.
    pub fn read(text: &str) -> Option<Vec<Tree>> {
        let forest = Forest::read(text.as_bytes()).ok()?;
        Some(forest.roots().iter().map(|&root| Tree::of(&forest, root)).collect())
    }

    fn of(forest: &Forest<'_>, sexp: Sexp) -> Tree {
        match forest.view(sexp) {
            View::Atom(word) => Tree::Word(String::from_utf8_lossy(word).into_owned()),
            View::List(list) => {
                let parts: Vec<Tree> = list.iter().map(|&part| Tree::of(forest, part)).collect();
                let list = Tree::List(parts);
                if list.is_negative() || list.head() == Some("as") { Tree::Word(list.text()) } else { list }
            }
        }
    }

    /// A word.
    pub fn word(text: &str) -> Tree {
        Tree::Word(text.to_owned())
    }

    /// A list that begins with a word.
    pub fn app(head: &str, args: impl IntoIterator<Item = Tree>) -> Tree {
        Tree::List(std::iter::once(Tree::word(head)).chain(args).collect())
    }

    fn is_negative(&self) -> bool {
        let Tree::List(parts) = self else { return false };
        let is_number =
            |part: &Tree| matches!(part, Tree::Word(word) if word.bytes().all(|b| b.is_ascii_digit()));
        parts.len() == 2 && self.head() == Some("-") && is_number(&parts[1])
    }

    /// Indices are no terms, and solvers want the words of a regular expression written out.
    fn is_fixed(&self) -> bool {
        self.head().is_some_and(|head| head == "_" || head == "str.to_re" || head.starts_with("re."))
    }

    /// The word that a list begins with.
    pub fn head(&self) -> Option<&str> {
        match self {
            Tree::List(parts) => parts.first()?.as_word(),
            Tree::Word(_) => None,
        }
    }

    pub fn as_word(&self) -> Option<&str> {
        match self {
            Tree::Word(word) => Some(word),
            Tree::List(_) => None,
        }
    }

    pub fn parts(&self) -> &[Tree] {
        match self {
            Tree::List(parts) => parts,
            Tree::Word(_) => &[],
        }
    }

    /// Whether the word occurs.
    pub fn mentions(&self, word: &str) -> bool {
        match self {
            Tree::Word(own) => own == word,
            Tree::List(parts) => parts.iter().any(|part| part.mentions(word)),
        }
    }

    /// The tree with every occurrence of a word replaced. The second place of a list that binds is not a place of terms,
    /// but bound names differ from all others, so nothing wrong is replaced there.
    pub fn replaced(&self, word: &str, by: &Tree) -> Tree {
        match self {
            Tree::Word(own) if own == word => by.clone(),
            Tree::Word(_) => self.clone(),
            Tree::List(_) if self.is_fixed() => self.clone(),
            Tree::List(parts) => Tree::List(parts.iter().map(|part| part.replaced(word, by)).collect()),
        }
    }

    /// Replaces every occurrence of a word here.
    pub fn replace(&mut self, word: &str, by: &Tree) {
        match self {
            Tree::Word(own) if own == word => self.clone_from(by),
            Tree::Word(_) => {}
            Tree::List(_) if self.is_fixed() => {}
            Tree::List(parts) => parts.iter_mut().for_each(|part| part.replace(word, by)),
        }
    }

    /// The tree with several words replaced at once.
    pub fn renamed(&self, names: &[(String, Tree)]) -> Tree {
        match self {
            Tree::Word(own) => {
                names.iter().find(|(name, _)| name == own).map_or_else(|| self.clone(), |(_, by)| by.clone())
            }
            Tree::List(_) if self.is_fixed() => self.clone(),
            Tree::List(parts) => Tree::List(parts.iter().map(|part| part.renamed(names)).collect()),
        }
    }

    /// Every word that stands where a term may stand, each once, in order.
    pub fn words(&self) -> Vec<&str> {
        let mut found = vec![];
        self.collect(&mut found);
        found
    }

    fn collect<'t>(&'t self, found: &mut Vec<&'t str>) {
        match self {
            Tree::Word(word) if !found.contains(&word.as_str()) => found.push(word),
            Tree::Word(_) => {}
            Tree::List(_) if self.is_fixed() => {}
            Tree::List(parts) => parts.iter().for_each(|part| part.collect(found)),
        }
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    pub fn write(&self, out: &mut String) {
        self.write_terms(out, true);
    }

    /// Writes the tree; without annotations if they are not wanted.
    pub fn write_terms(&self, out: &mut String, annotations: bool) {
        match self {
            Tree::Word(word) => out.push_str(word),
            Tree::List(parts) if !annotations && self.head() == Some("!") => parts[1].write_terms(out, false),
            Tree::List(parts) => {
                out.push('(');
                for (n, part) in parts.iter().enumerate() {
                    if n > 0 {
                        out.push(' ');
                    }
                    part.write_terms(out, annotations);
                }
                out.push(')');
            }
        }
    }

    /// Whether this is its text.
    pub fn is(&self, text: &str) -> bool {
        match self {
            Tree::Word(word) => word == text,
            Tree::List(_) => self.text() == text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::read(text).unwrap().remove(0)
    }

    #[test]
    fn replacing_a_constant_leaves_negative_numbers_and_indices_alone() {
        let replaced = tree("(f 1 (- 1) ((_ g 1) x) \"1\")").replaced("1", &Tree::word("z"));
        assert_eq!(replaced.text(), "(f z (- 1) ((_ g 1) x) \"1\")");
        assert_eq!(replaced.replaced("(- 1)", &Tree::word("y")).text(), "(f z y ((_ g 1) x) \"1\")");
    }

    #[test]
    fn a_text_is_written_as_it_was_read() {
        let text = "(forall ((i Int)) (! (p i \"a b\"\"\") :pattern ((p i))))";
        assert_eq!(tree(text).text(), text);
        assert!(Tree::read("(a").is_none());
    }
}
