//! Signature files: the operators that a user wants to grow.
//!
//! The format is that of yinyang's typefuzz: `(str.at String Int String)` with the result last, `(par (A) (ite Bool A
//! A A))`, `:left-assoc`, `:right-assoc`, `:chainable`, `:pairwise`, constants as `(re.none RegLan)`. Only the
//! operators of such a file are grown. The theory tables still define how each operator is typed, so a wrong line has
//! no effect. The line `(par (A) (id A A))` is not an operator: it allows a term of the script to replace another of
//! its sort.

use super::productions::Production;
use smtlib::printer::sort_text;
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::{Pool, SortId, theory};

/// A mistake in a signature file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: {what}\nhint: a signature is `(str.at String Int String)` or `(par (A) (ite Bool A A A))`"
)]
pub struct SignatureError {
    pub line: usize,
    pub what: String,
}

/// A sort with parameters, as a tree of words.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tree {
    Word(String),
    List(Vec<Tree>),
}

#[derive(Clone, Debug)]
struct Signature {
    name: String,
    params: Vec<String>,
    args: Vec<Tree>,
    result: Tree,
    associative: bool,
}

/// The signatures of a file.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    list: Vec<Signature>,
    /// Whether terms may be exchanged.
    pub exchange: bool,
}

impl Signatures {
    pub fn read(text: &str) -> Result<Signatures, SignatureError> {
        let place = |offset: usize, what: String| SignatureError {
            line: smtlib::span::position(text.as_bytes(), offset).line,
            what,
        };
        let forest = Forest::read(text.as_bytes())
            .map_err(|error| place(error.span.start as usize, error.to_string()))?;
        let mut signatures = Signatures::default();
        for &root in forest.roots() {
            let at = forest.span(root).start as usize;
            match read_signature(&forest, root).map_err(|what| place(at, what))? {
                Some(signature) => signatures.list.push(signature),
                None => signatures.exchange = true,
            }
        }
        Ok(signatures)
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether some line allows this production.
    pub fn admit(&self, pool: &Pool, production: &Production, result: SortId) -> bool {
        let name = production.op.row().name;
        let mut lines = self.list.iter().filter(|signature| signature.name == name).peekable();
        if lines.peek().is_none() {
            return false;
        }
        let tree = |sort: SortId| tree_of(&sort_text(pool, sort));
        let (args, result): (Vec<Tree>, Tree) =
            (production.args.iter().map(|&s| tree(s)).collect(), tree(result));
        lines.any(|signature| signature.matches(&args, &result))
    }
}

impl Signature {
    fn matches(&self, args: &[Tree], result: &Tree) -> bool {
        let longer = self.associative && args.len() > self.args.len();
        if args.len() != self.args.len() && !longer {
            return false;
        }
        let mut bound: Vec<Option<&Tree>> = vec![None; self.params.len()];
        let last = self.args.len().saturating_sub(1);
        args.iter().enumerate().all(|(n, arg)| self.unify(&self.args[n.min(last)], arg, &mut bound))
            && self.unify(&self.result, result, &mut bound)
    }

    fn unify<'t>(&self, pattern: &Tree, found: &'t Tree, bound: &mut [Option<&'t Tree>]) -> bool {
        if let Tree::Word(word) = pattern
            && let Some(param) = self.params.iter().position(|param| param == word)
        {
            return *bound[param].get_or_insert(found) == found;
        }
        match (pattern, found) {
            (Tree::List(patterns), Tree::List(parts)) if patterns.len() == parts.len() => {
                patterns.iter().zip(parts).all(|(pattern, part)| self.unify(pattern, part, bound))
            }
            _ => pattern == found,
        }
    }
}

fn tree_of(text: &str) -> Tree {
    match Forest::read(text.as_bytes()) {
        Ok(forest) => forest.roots().first().map_or(Tree::List(vec![]), |&root| tree(&forest, root)),
        Err(_) => Tree::List(vec![]),
    }
}

fn tree(forest: &Forest<'_>, sexp: Sexp) -> Tree {
    match forest.view(sexp) {
        View::Atom(word) => Tree::Word(String::from_utf8_lossy(word).into_owned()),
        View::List(_) => Tree::List(forest.list(sexp).iter().map(|&part| tree(forest, part)).collect()),
    }
}

/// A line; `None` for the identity.
fn read_signature(forest: &Forest<'_>, root: Sexp) -> Result<Option<Signature>, String> {
    let Tree::List(mut items) = tree(forest, root) else { return Err("a signature is a list".into()) };
    let mut params = vec![];
    if items.first() == Some(&Tree::Word("par".into())) {
        let [_, Tree::List(names), Tree::List(inner)] = &items[..] else {
            return Err("`par` needs a list of parameters and a signature".into());
        };
        for name in names {
            let Tree::Word(name) = name else { return Err("a parameter is a word".into()) };
            params.push(name.clone());
        }
        items = inner.clone();
    }
    let attribute = |tree: &Tree| matches!(tree, Tree::Word(word) if word.starts_with(':'));
    let end = items.iter().position(attribute).unwrap_or(items.len());
    let attributes: Vec<Tree> = items.split_off(end);
    let known = [":left-assoc", ":right-assoc", ":chainable", ":pairwise"];
    let is_known = |tree: &&Tree| matches!(tree, Tree::Word(word) if known.contains(&word.as_str()));
    let associative = attributes.iter().any(|tree| is_known(&tree));
    let mut items = items.into_iter();
    let name = match items.next() {
        Some(Tree::Word(name)) => name,
        Some(Tree::List(parts)) => match &parts[..] {
            [Tree::Word(underscore), Tree::Word(name), ..] if underscore == "_" => name.clone(),
            _ => return Err("an indexed operator is `(_ name index)`".into()),
        },
        None => return Err("a signature needs a name".into()),
    };
    if name == "id" && items.len() == 2 {
        return Ok(None);
    }
    if theory::lookup(name.as_bytes()).is_none() {
        let hint = theory::nearest(&name).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(format!("there is no operator `{name}`{hint}"));
    }
    let mut args: Vec<Tree> = items.collect();
    let result = args.pop().ok_or("a signature needs a result sort")?;
    Ok(Some(Signature { name, params, args, result, associative }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_of_typefuzz_are_read() {
        let text = ";; Functions\n(str.at String Int String)\n(par (A) (ite Bool A A A))\n\
                    (par (A) (= A A Bool :chainable))\n(re.none RegLan)\n(and Bool Bool Bool :left-assoc)\n";
        let signatures = Signatures::read(text).unwrap();
        assert_eq!(signatures.len(), 5);
    }

    #[test]
    fn the_identity_lets_terms_be_exchanged() {
        let signatures = Signatures::read("(par (A) (id A A))\n(not Bool Bool)").unwrap();
        assert!(signatures.exchange);
        assert_eq!(signatures.len(), 1);
        assert!(!Signatures::read("(not Bool Bool)").unwrap().exchange);
    }

    #[test]
    fn parameters_match_one_sort_throughout() {
        let signatures = Signatures::read("(par (A) (ite Bool A A A))").unwrap();
        let word = |word: &str| Tree::Word(word.into());
        let ite = &signatures.list[0];
        assert!(ite.matches(&[word("Bool"), word("Int"), word("Int")], &word("Int")));
        assert!(!ite.matches(&[word("Bool"), word("Int"), word("Int")], &word("Bool")));
        assert!(!ite.matches(&[word("Bool"), word("Int")], &word("Int")));
    }

    #[test]
    fn an_unknown_operator_is_reported_with_its_line() {
        let error = Signatures::read("(str.at String Int String)\n(str.lenn String Int)").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.what.contains("str.len"), "{error}");
    }
}
