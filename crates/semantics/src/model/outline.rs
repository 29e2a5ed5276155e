//! Finds the parts of a model in a solver's text, however it is wrapped.
//!
//! The text may be `(model …)`, a bare list, or the definitions one after the other, with comments that list the
//! elements of a sort. Nothing is resolved here: a part is a name with the positions of its sorts and its body.

use super::ModelError;
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::span::Span;

/// One definition, by positions in the text.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The name, without bars.
    pub name: Vec<u8>,
    pub span: Span,
    pub vars: Vec<(Vec<u8>, Span)>,
    /// The result; `None` in a pair of a name and a value.
    pub result: Option<Span>,
    pub body: Span,
    pub body_sexp: Sexp,
    pub recursive: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ModelOutline {
    pub parts: Vec<Part>,
    /// `(declare-fun U!val!0 () U)`: name and position of the sort.
    pub elements: Vec<(Vec<u8>, Span)>,
    pub notes: Vec<String>,
}

/// The name that an atom spells.
pub(super) fn bare(atom: &[u8]) -> &[u8] {
    match atom {
        [b'|', inner @ .., b'|'] => inner,
        _ => atom,
    }
}

/// The items of a model, without their wrapping.
pub(super) fn items(forest: &Forest<'_>) -> Result<Vec<Sexp>, ModelError> {
    let lists: Vec<Sexp> =
        forest.roots().iter().copied().filter(|&root| matches!(forest.view(root), View::List(_))).collect();
    let words: Vec<&[u8]> = forest.roots().iter().filter_map(|&root| forest.atom(root)).collect();
    if words.iter().any(|word| !matches!(*word, b"sat" | b"unknown" | b"success")) {
        return Err(ModelError::NotAModel(shown(words[0])));
    }
    match lists[..] {
        [] => Err(ModelError::NotAModel("there is no list in it".to_owned())),
        [one] if forest.is_call(one, b"error") => Err(ModelError::NotAModel(shown(forest.text(one)))),
        [one] if forest.is_call(one, b"model") => Ok(forest.list(one)[1..].to_vec()),
        [one] if is_definition(forest, one) => Ok(vec![one]),
        [one] => match forest.list(one).iter().find(|&&item| forest.atom(item).is_some()) {
            Some(_) => Err(ModelError::NotAModel(shown(forest.text(one)))),
            None => Ok(forest.list(one).to_vec()),
        },
        _ => Ok(lists),
    }
}

fn is_definition(forest: &Forest<'_>, list: Sexp) -> bool {
    [&b"define-fun"[..], b"define-fun-rec", b"define-const", b"declare-fun", b"=", b"function"]
        .iter()
        .any(|head| forest.is_call(list, head))
}

fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let short: String = text.chars().take(120).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

pub(super) fn read(forest: &Forest<'_>, items: &[Sexp]) -> ModelOutline {
    let mut outline = ModelOutline::default();
    for &item in items {
        if !outline.take(forest, item) {
            let text = shown(forest.text(item));
            outline.notes.push(format!("skipped an item that is not a definition: {text}"));
        }
    }
    outline
}

impl ModelOutline {
    /// Adds an item; returns whether it was understood.
    fn take(&mut self, forest: &Forest<'_>, item: Sexp) -> bool {
        let list = forest.list(item);
        let Some(&head) = list.first() else { return false };
        match forest.atom(head) {
            Some(b"define-fun") => self.definition(forest, item, false),
            Some(b"define-fun-rec") => self.definition(forest, item, true),
            Some(b"define-const") => self.constant(forest, item),
            Some(b"define-funs-rec") => self.group(forest, item),
            Some(b"declare-fun" | b"declare-const") => self.element(forest, item),
            // These repeat the elements of a sort, or declarations of the script.
            Some(b"forall" | b"declare-datatypes" | b"declare-datatype" | b"declare-sort") => true,
            Some(b"define-sort" | b"declare-codatatypes") => true,
            Some(_) if list.len() == 2 => self.pair(forest, item),
            _ => false,
        }
    }

    fn definition(&mut self, forest: &Forest<'_>, item: Sexp, recursive: bool) -> bool {
        let [_, name, vars, sort @ .., body] = forest.list(item) else { return false };
        let (Some(name), Some(vars)) = (forest.atom(*name), variables(forest, *vars)) else { return false };
        // Old releases of z3 omit the bars of a sort's name: its words are one sort.
        let (Some(first), Some(last)) = (sort.first(), sort.last()) else { return false };
        let result = Some(forest.span(*first).to(forest.span(*last)));
        let (name, span, body_sexp) = (bare(name).to_vec(), forest.span(item), *body);
        let body = forest.span(body_sexp);
        self.parts.push(Part { name, span, vars, result, body, body_sexp, recursive });
        true
    }

    fn constant(&mut self, forest: &Forest<'_>, item: Sexp) -> bool {
        let &[_, name, sort, body] = forest.list(item) else { return false };
        let Some(name) = forest.atom(name) else { return false };
        let (name, span, body_sexp) = (bare(name).to_vec(), forest.span(item), body);
        let (result, body) = (Some(forest.span(sort)), forest.span(body));
        self.parts.push(Part { name, span, vars: vec![], result, body, body_sexp, recursive: false });
        true
    }

    /// `(define-funs-rec ((f ((x Int)) Int) …) (body …))`.
    fn group(&mut self, forest: &Forest<'_>, item: Sexp) -> bool {
        let &[_, heads, bodies] = forest.list(item) else { return false };
        let (heads, bodies) = (forest.list(heads), forest.list(bodies));
        if heads.len() != bodies.len() {
            return false;
        }
        for (&head, &body) in heads.iter().zip(bodies) {
            let &[name, vars, sort] = forest.list(head) else { return false };
            let (Some(name), Some(vars)) = (forest.atom(name), variables(forest, vars)) else { return false };
            self.parts.push(Part {
                name: bare(name).to_vec(),
                span: forest.span(head),
                vars,
                result: Some(forest.span(sort)),
                body: forest.span(body),
                body_sexp: body,
                recursive: true,
            });
        }
        true
    }

    fn element(&mut self, forest: &Forest<'_>, item: Sexp) -> bool {
        let (name, sort) = match forest.list(item) {
            [_, name, params, sort @ ..]
                if forest.list(*params).is_empty() && forest.atom(*params).is_none() =>
            {
                (*name, sort)
            }
            [_, name, sort @ ..] => (*name, sort),
            _ => return false,
        };
        let (Some(name), Some(first), Some(last)) = (forest.atom(name), sort.first(), sort.last()) else {
            return false;
        };
        self.elements.push((bare(name).to_vec(), forest.span(*first).to(forest.span(*last))));
        true
    }

    /// `(x 3)`, as `get-value` prints it.
    fn pair(&mut self, forest: &Forest<'_>, item: Sexp) -> bool {
        let &[name, value] = forest.list(item) else { return false };
        let Some(name) = forest.atom(name) else { return false };
        let (name, span, body) = (bare(name).to_vec(), forest.span(item), forest.span(value));
        let part = Part { name, span, vars: vec![], result: None, body, body_sexp: value, recursive: false };
        self.parts.push(part);
        true
    }
}

fn variables(forest: &Forest<'_>, list: Sexp) -> Option<Vec<(Vec<u8>, Span)>> {
    forest.atom(list).is_none().then_some(())?;
    let mut vars = vec![];
    for &var in forest.list(list) {
        let [name, sort @ ..] = forest.list(var) else { return None };
        let sort = forest.span(*sort.first()?).to(forest.span(*sort.last()?));
        vars.push((bare(forest.atom(*name)?).to_vec(), sort));
    }
    Some(vars)
}

/// `; cardinality of U is 2` and `; rep: (as @U_0 U)`: for each element its text and the text of its sort.
pub(super) fn representatives(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut sort: Vec<u8> = vec![];
    let mut found = vec![];
    for line in text.split(|&byte| byte == b'\n') {
        let Some(comment) = line.trim_ascii().strip_prefix(b";") else { continue };
        let comment = comment.trim_ascii();
        if let Some(rest) = comment.strip_prefix(b"cardinality of ") {
            let end = rest.windows(4).rposition(|window| window == b" is ").unwrap_or(rest.len());
            sort = rest[..end].to_vec();
        } else if let Some(element) = comment.strip_prefix(b"rep: ") {
            let element = element.trim_ascii();
            let name = element.strip_prefix(b"(as ").map_or(element, |rest| {
                let end = rest.iter().position(|&byte| byte == b' ').unwrap_or(rest.len());
                if rest.starts_with(b"|") { bar_end(rest) } else { &rest[..end] }
            });
            found.push((name.to_vec(), sort.clone()));
        }
    }
    found
}

fn bar_end(text: &[u8]) -> &[u8] {
    text[1..].iter().position(|&byte| byte == b'|').map_or(text, |end| &text[..end + 2])
}

/// cvc5 puts bars inside the name of an element, `@|odd name|_0`, which no parser accepts. Bars and blanks become
/// dots, so that positions in the text do not change.
pub(super) fn without_inner_bars(text: &[u8]) -> Vec<u8> {
    let mut out = text.to_vec();
    let mut at = 0;
    while let Some(found) = out[at..].windows(2).position(|pair| pair == b"@|") {
        let start = at + found + 1;
        let Some(length) = out[start + 1..].iter().position(|&byte| byte == b'|') else { break };
        let end = start + 1 + length;
        for byte in &mut out[start..=end] {
            if !smtlib::symbol::is_symbol_byte(*byte) {
                *byte = b'.';
            }
        }
        at = end;
    }
    out
}
