//! Gives the parts of a model their meaning in the context of a script.
//!
//! Two passes, because bodies may use functions that are defined further down: first every name gets a place
//! (a function of the script, a choice at an under-specified point, or a new defined function of the pool), then
//! the bodies are read.

use super::outline::{self, Part, bare};
use super::{Definition, Escapes, Model, ModelError, qualify, yices};
use smtlib::error::{Error, ErrorKind};
use smtlib::parser::{Parser, with_script_before};
use smtlib::printer::sort_text;
use smtlib::script::Script;
use smtlib::sexp::Forest;
use smtlib::sort::{Sort, SortId};
use smtlib::span::{Span, position};
use smtlib::symbol::Symbol;
use smtlib::term::{Decl, DeclId, Kind, Lit, Pool, Quantifier, Role};
use smtlib::theory;

/// Solvers' names for what they chose at under-specified points, beyond those that are operators themselves.
const UNDER: &[&str] = &[
    "/0",
    "div0",
    "mod0",
    "rem0",
    "^0",
    "fp.to_ubv_unspecified",
    "fp.to_sbv_unspecified",
    "fp.to_real_unspecified",
    "fp.to_ieee_bv_unspecified",
    "fp.min_unspecified",
    "fp.max_unspecified",
    "seq.nth_u",
    "array-ext",
];

pub(super) fn model(
    script: &mut Script,
    command: usize,
    text: &[u8],
    escapes: Escapes,
) -> Result<Model, ModelError> {
    let text = outline::without_inner_bars(text);
    let forest = Forest::read(&text).map_err(|error| ModelError::text(&text, error))?;
    let items = outline::items(&forest)?;
    if !yices::is_yices(&forest, &items) {
        return match read(script, command, &text, escapes, &forest, &items)? {
            Outcome::Read(model) => Ok(model),
            Outcome::Qualified(text) => plain(script, command, &text, escapes),
        };
    }
    let translated =
        with_script_before(script, command, b"", |parser| Ok(yices::translate(parser, &forest, &items)))
            .map_err(|error| ModelError::text(&text, error))?;
    let mut model = plain(script, command, &translated.text, escapes)?;
    model.opaque.extend(translated.opaque);
    model.notes.extend(translated.notes);
    Ok(model)
}

/// A model without the peculiarities of a solver.
fn plain(script: &mut Script, command: usize, text: &[u8], escapes: Escapes) -> Result<Model, ModelError> {
    let forest = Forest::read(text).map_err(|error| ModelError::text(text, error))?;
    let items = outline::items(&forest)?;
    match read(script, command, text, escapes, &forest, &items)? {
        Outcome::Read(model) => Ok(model),
        Outcome::Qualified(_) => Err(ModelError::NotAModel("its values cannot be given sorts".to_owned())),
    }
}

/// What one reading of a text gives.
enum Outcome {
    Read(Model),
    /// Some values lack the qualifiers that they need; this is the text with them.
    Qualified(Vec<u8>),
}

fn read(
    script: &mut Script,
    command: usize,
    text: &[u8],
    escapes: Escapes,
    forest: &Forest<'_>,
    items: &[smtlib::sexp::Sexp],
) -> Result<Outcome, ModelError> {
    let outline = outline::read(forest, items);
    let read = with_script_before(script, command, text, |parser| {
        parser.legacy_strings = escapes == Escapes::Legacy;
        let model = Model { notes: outline.notes, ..Model::default() };
        let mut reader = Reader { parser, text, model, places: vec![], qualified: vec![] };
        Ok(reader.run(forest, &outline.parts, &outline.elements).map(|()| match &reader.qualified[..] {
            [] => Outcome::Read(reader.model),
            bodies => Outcome::Qualified(qualify::splice(text, bodies)),
        }))
    });
    read.map_err(|error| ModelError::text(text, error))?
}

struct Reader<'r, 'a> {
    parser: &'r mut Parser<'a>,
    text: &'r [u8],
    model: Model,
    /// Each part that is read, with what it defines.
    places: Vec<(Part, Head, Place)>,
    /// Bodies that had to be written out with qualifiers.
    qualified: Vec<(Part, Vec<u8>)>,
}

/// The rank of a definition.
struct Head {
    vars: Vec<(Symbol, SortId)>,
    result: SortId,
}

/// What a definition defines.
enum Place {
    Script(DeclId),
    Under,
    Auxiliary(DeclId),
}

impl Reader<'_, '_> {
    fn run(
        &mut self,
        forest: &Forest<'_>,
        parts: &[Part],
        elements: &[(Vec<u8>, Span)],
    ) -> Result<(), ModelError> {
        for (name, sort) in elements {
            self.element(name, *sort)?;
        }
        self.representatives()?;
        self.unlisted_elements(forest)?;
        for part in parts {
            self.place(part)?;
        }
        for (part, head, place) in std::mem::take(&mut self.places) {
            self.body(forest, &part, head, place)?;
        }
        Ok(())
    }

    fn pool(&mut self) -> &mut Pool {
        &mut self.parser.pool
    }

    // Elements of declared sorts.

    fn element(&mut self, name: &[u8], sort: Span) -> Result<(), ModelError> {
        let sort = self.sort(name, sort)?;
        if self.is_uninterpreted(sort) {
            self.add_element(name, sort, true)?;
        } else {
            self.note(name, "is declared by the model without a value");
        }
        Ok(())
    }

    fn is_uninterpreted(&mut self, sort: SortId) -> bool {
        matches!(self.pool().sort(sort), Sort::Declared(..)) && self.pool().datatype(sort).is_none()
    }

    fn note(&mut self, name: &[u8], what: &str) {
        self.model.notes.push(format!("`{}` {what}", String::from_utf8_lossy(name)));
    }

    /// Makes a name an element; `listed` ones make up the sort. A name that is one of the script's too could mean
    /// either wherever it stands, and then the model says nothing.
    fn add_element(&mut self, name: &[u8], sort: SortId, listed: bool) -> Result<(), ModelError> {
        let symbol = self.pool().symbol(name);
        let known = self.decls(symbol);
        if let [known] = known[..]
            && matches!(self.pool().decl(known).role, Role::Named(_))
        {
            return Ok(());
        }
        if !known.is_empty() {
            let name = String::from_utf8_lossy(name);
            return Err(ModelError::NotAModel(format!(
                "`{name}` is an element in it and a function in the script"
            )));
        }
        let literal = self.pool().term(Kind::Lit(Lit::Abstract, symbol), sort, &[]);
        let role = Role::Named(literal);
        self.add_decl(symbol, &[], sort, role);
        if listed {
            let all = self.model.universe.entry(sort).or_default();
            if !all.contains(&literal) {
                all.push(literal);
            }
        }
        Ok(())
    }

    fn decls(&mut self, symbol: Symbol) -> Vec<DeclId> {
        self.parser.functions_named(symbol)
    }

    fn add_decl(&mut self, name: Symbol, params: &[SortId], result: SortId, role: Role) -> DeclId {
        let decl =
            Decl { name, sort_params: [].into(), params: params.into(), result, role, span: Span::default() };
        let id = self.pool().add_decl(decl);
        self.parser.declare(name, id);
        id
    }

    fn sort_named(&mut self, name: &[u8]) -> Option<SortId> {
        let symbol = self.pool().symbols.find(name)?;
        self.parser.declared_sort_named(symbol).filter(|&sort| self.is_uninterpreted(sort))
    }

    /// Elements that comments list.
    fn representatives(&mut self) -> Result<(), ModelError> {
        for (name, sort) in outline::representatives(self.text) {
            if let Some(sort) = self.sort_named(bare(&sort)) {
                self.add_element(bare(&name), sort, true)?;
            }
        }
        Ok(())
    }

    /// Elements that are only used: `@U_0` and `@uc_U_0` say their sort in their name.
    fn unlisted_elements(&mut self, forest: &Forest<'_>) -> Result<(), ModelError> {
        for atom in forest.atoms() {
            let name = bare(atom);
            let Some(rest) = name.strip_prefix(b"@") else { continue };
            let rest = rest.strip_prefix(b"uc_").unwrap_or(rest);
            let Some(end) = rest.iter().rposition(|&byte| byte == b'_') else { continue };
            let known = self.pool().symbols.find(name).is_some_and(|symbol| !self.decls(symbol).is_empty());
            if !known && let Some(sort) = self.sort_named(&rest[..end]) {
                self.add_element(name, sort, false)?;
                // What was listed is not all.
                self.model.universe.remove(&sort);
            }
        }
        Ok(())
    }

    // Definitions.

    fn sort(&mut self, name: &[u8], span: Span) -> Result<SortId, ModelError> {
        // Old releases of z3 print the name of a sort without the bars it needs.
        let text = &self.text[span.range()];
        if text.contains(&b' ')
            && let Some(sort) = self.sort_named(text)
        {
            return Ok(sort);
        }
        self.parser.sort_at(span).map_err(|error| self.fail(name, error))
    }

    fn fail(&self, name: &[u8], error: Error) -> ModelError {
        ModelError::definition(self.text, name, error)
    }

    fn head(&mut self, part: &Part, declared: Option<SortId>) -> Result<Head, ModelError> {
        let mut vars = vec![];
        for (var, sort) in &part.vars {
            let sort = self.sort(&part.name, *sort)?;
            vars.push((self.pool().symbol(var), sort));
        }
        let result = match (part.result, declared) {
            (Some(span), _) => self.sort(&part.name, span)?,
            (None, Some(sort)) => sort,
            (None, None) => SortId::BOOL,
        };
        Ok(Head { vars, result })
    }

    /// First pass: what the name of a definition stands for.
    fn place(&mut self, part: &Part) -> Result<(), ModelError> {
        let symbol = self.pool().symbol(&part.name);
        let decls = self.decls(symbol);
        let constant = decls.iter().copied().find(|&decl| self.pool().decl(decl).params.is_empty());
        if part.result.is_none() && constant.is_none() {
            self.note(&part.name, "has a value in the model and is not a constant of the script");
            return Ok(());
        }
        let declared = constant.map(|decl| self.pool().decl(decl).result);
        let head = self.head(part, declared)?;
        let place = if decls.is_empty() {
            self.new_place(part, symbol, &head)
        } else {
            self.script_place(part, &decls, &head)?
        };
        if let Some(place) = place {
            self.places.push((part.clone(), head, place));
        }
        Ok(())
    }

    fn new_place(&mut self, part: &Part, symbol: Symbol, head: &Head) -> Option<Place> {
        let is_operator = theory::lookup(&part.name).is_some();
        let is_under = UNDER.iter().any(|name| name.as_bytes() == part.name);
        if is_operator {
            return Some(Place::Under);
        }
        let params: Vec<SortId> = head.vars.iter().map(|&(_, sort)| sort).collect();
        let decl = self.add_decl(symbol, &params, head.result, Role::Declared);
        Some(if is_under { Place::Under } else { Place::Auxiliary(decl) })
    }

    fn script_place(
        &mut self,
        part: &Part,
        decls: &[DeclId],
        head: &Head,
    ) -> Result<Option<Place>, ModelError> {
        let sorts: Vec<SortId> = head.vars.iter().map(|&(_, sort)| sort).chain([head.result]).collect();
        let mut declared = None;
        for &decl in decls.iter().rev() {
            let known = self.pool().decl(decl).clone();
            match known.role {
                Role::Declared => {
                    if same_rank(self.pool(), &known, &sorts) {
                        return Ok(Some(Place::Script(decl)));
                    }
                    declared.get_or_insert(known);
                }
                Role::Selector { .. } => return Ok(Some(Place::Under)),
                Role::Named(_) | Role::Defined { .. } | Role::Constructor { .. } => {}
            }
        }
        let Some(declared) = declared else {
            self.note(&part.name, "is defined by the script itself");
            return Ok(None);
        };
        let place = position(self.text, part.span.start as usize);
        let show = |pool: &Pool, sorts: &[SortId]| {
            let texts: Vec<String> = sorts.iter().map(|&sort| sort_text(pool, sort)).collect();
            match texts.split_last() {
                Some((result, params)) if !params.is_empty() => {
                    format!("({}) {result}", params.join(" "))
                }
                _ => texts.concat(),
            }
        };
        let known: Vec<SortId> = declared.params.iter().copied().chain([declared.result]).collect();
        Err(ModelError::Rank {
            name: String::from_utf8_lossy(&part.name).into_owned(),
            line: place.line,
            column: place.column,
            declared: show(self.pool(), &known),
            defined: show(self.pool(), &sorts),
        })
    }

    /// Second pass: the body.
    fn body(&mut self, forest: &Forest<'_>, part: &Part, head: Head, place: Place) -> Result<(), ModelError> {
        let symbol = self.pool().symbol(&part.name);
        let result = match place {
            // The declaration's spelling of the sort, so that the body is coerced to it.
            Place::Script(decl) if self.pool().decl(decl).params.len() == head.vars.len() => {
                self.pool().decl(decl).result
            }
            _ => head.result,
        };
        let body = match self.parser.body_at(symbol, part.body, &head.vars, result) {
            Ok(body) => body,
            Err(error) if matches!(place, Place::Under) => {
                self.note(&part.name, &format!("could not be read: {error}"));
                return Ok(());
            }
            Err(error) if lacks_qualifier(&error) => return self.qualify(forest, part, &head, error),
            Err(error) => return Err(self.fail(&part.name, error)),
        };
        match place {
            Place::Script(decl) => {
                let definition = self.curried(decl, Definition { vars: head.vars, body });
                self.model.functions.insert(decl, definition);
            }
            Place::Under => {
                let name = String::from_utf8_lossy(&part.name).into_owned();
                self.model.under.push((name, Definition { vars: head.vars, body }));
            }
            Place::Auxiliary(decl) => {
                let vars = self.pool().binders(head.vars.into());
                self.pool().decls[decl.0 as usize].role =
                    Role::Defined { vars, body, recursive: part.recursive };
            }
        }
        Ok(())
    }

    /// Writes a body again with qualifiers, if they may be what it lacks.
    fn qualify(
        &mut self,
        forest: &Forest<'_>,
        part: &Part,
        head: &Head,
        error: Error,
    ) -> Result<(), ModelError> {
        let sorts = head.vars.iter().map(|&(_, sort)| sort).chain([head.result]);
        let may_help = sorts.into_iter().any(|sort| qualify::needs(self.parser, sort));
        let body = may_help
            .then(|| qualify::body(self.parser, forest, part.body_sexp, &head.vars, head.result))
            .flatten();
        match body {
            Some(body) if body != self.text[part.body.range()] => {
                self.qualified.push((part.clone(), body));
                Ok(())
            }
            _ => Err(self.fail(&part.name, error)),
        }
    }

    /// A constant of function sort may be defined like a function: what the declaration does not take as a
    /// parameter goes under a lambda.
    fn curried(&mut self, decl: DeclId, mut definition: Definition) -> Definition {
        let (count, sort) = (self.pool().decl(decl).params.len(), self.pool().decl(decl).result);
        if definition.vars.len() > count {
            let rest = definition.vars.split_off(count);
            let binders = self.pool().binders(rest.into());
            definition.body =
                self.pool().term(Kind::Quant(Quantifier::Lambda, binders), sort, &[definition.body]);
        }
        definition
    }
}

/// Whether an error is what a value without its qualifier gives.
fn lacks_qualifier(error: &Error) -> bool {
    matches!(
        error.kind,
        ErrorKind::NeedsQualifier { .. } | ErrorKind::NoRank { .. } | ErrorKind::ArgumentSort { .. }
    )
}

/// Whether a definition's parameters and result are those of a declaration, which may be curried.
fn same_rank(pool: &Pool, declared: &Decl, sorts: &[SortId]) -> bool {
    let mut known: Vec<SortId> = declared.params.to_vec();
    match pool.sort(declared.result) {
        Sort::Fun(rest) if sorts.len() > known.len() + 1 => known.extend(rest.iter()),
        _ => known.push(declared.result),
    }
    known.len() == sorts.len() && known.iter().zip(sorts).all(|(&a, &b)| same_sort(pool, a, b))
}

/// Whether two sorts are one to some solver: z3 prints `(Set T)` for `(Array T Bool)` and arrays for functions.
fn same_sort(pool: &Pool, a: SortId, b: SortId) -> bool {
    if a == b {
        return true;
    }
    let all = |xs: &[SortId], ys: &[SortId]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| same_sort(pool, x, y))
    };
    match (pool.sort(a), pool.sort(b)) {
        (Sort::Array(i, e), Sort::Array(j, f)) => all(&[*i, *e], &[*j, *f]),
        (Sort::Set(e), Sort::Array(i, SortId::BOOL)) | (Sort::Array(i, SortId::BOOL), Sort::Set(e)) => {
            same_sort(pool, *e, *i)
        }
        (Sort::Fun(f), Sort::Array(i, e)) | (Sort::Array(i, e), Sort::Fun(f)) => all(f, &[*i, *e]),
        (Sort::Fun(f), Sort::MultiArray(g)) | (Sort::MultiArray(g), Sort::Fun(f)) => all(f, g),
        (Sort::Fun(f), Sort::Fun(g))
        | (Sort::MultiArray(f), Sort::MultiArray(g))
        | (Sort::Tuple(f), Sort::Tuple(g)) => all(f, g),
        (Sort::Seq(e), Sort::Seq(f))
        | (Sort::Set(e), Sort::Set(f))
        | (Sort::FiniteSet(e), Sort::FiniteSet(f))
        | (Sort::Bag(e), Sort::Bag(f))
        | (Sort::Nullable(e), Sort::Nullable(f)) => same_sort(pool, *e, *f),
        (Sort::Seq(e), Sort::String) | (Sort::String, Sort::Seq(e)) => *pool.sort(*e) == Sort::Char,
        (Sort::Declared(d, f), Sort::Declared(e, g)) => d == e && all(f, g),
        _ => false,
    }
}
