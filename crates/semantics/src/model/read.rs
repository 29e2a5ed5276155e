//! Resolves the parts of a model in the context of a script.
//!
//! There are two passes, because bodies may use functions that are defined further down. First every name gets a place
//! (a function of the script, a choice at an under-specified point, or a new defined function of the pool), then the
//! bodies are read. A definition that fails in either pass affects only its own symbols: they become opaque, and a
//! body that uses a name without a place fails too.

use super::outline::{self, Part};
use super::{Definition, Escapes, Model, ModelError, Notation, qualify, yices};
use smtlib::error::{Error, ErrorKind};
use smtlib::parser::{Parser, with_script_before};
use smtlib::printer::sort_text;
use smtlib::script::Script;
use smtlib::sexp::Forest;
use smtlib::sort::{Sort, SortId};
use smtlib::span::{Span, position};
use smtlib::symbol::Symbol;
use smtlib::term::{Decl, DeclId, Kind, Pool, Quantifier, Role, TermId};
use smtlib::theory;

/// Solvers' names for their choices at under-specified points, in addition to those that are operators themselves.
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

const TWICE: &str = "the model defines it twice";

pub(super) fn model(
    script: &mut Script,
    command: usize,
    text: &[u8],
    notation: Notation,
) -> Result<Model, ModelError> {
    let text = outline::without_inner_bars(text);
    let forest = Forest::read(&text).map_err(|error| ModelError::text(&text, error))?;
    let items = outline::items(&forest)?;
    if !yices::is_yices(&forest, &items) {
        return match read(script, command, &text, notation, &forest, &items)? {
            Outcome::Read(model) => Ok(model),
            Outcome::Qualified(text) => read_standard(script, command, &text, notation),
        };
    }
    let translated =
        with_script_before(script, command, b"", |parser| Ok(yices::translate(parser, &forest, &items)))
            .map_err(|error| ModelError::text(&text, error))?;
    let mut model = read_standard(script, command, &translated.text, notation)?;
    model.opaque.extend(translated.opaque);
    model.notes.extend(translated.notes);
    Ok(model)
}

/// Reads a model in the standard notation.
fn read_standard(
    script: &mut Script,
    command: usize,
    text: &[u8],
    notation: Notation,
) -> Result<Model, ModelError> {
    let forest = Forest::read(text).map_err(|error| ModelError::text(text, error))?;
    let items = outline::items(&forest)?;
    match read(script, command, text, notation, &forest, &items)? {
        Outcome::Read(model) => Ok(model),
        Outcome::Qualified(_) => Err(ModelError::NotAModel("its values cannot be given sorts".to_owned())),
    }
}

/// The result of reading a text once.
enum Outcome {
    Read(Model),
    /// Some values lack the qualifiers that they need; this is the text with them.
    Qualified(Vec<u8>),
}

fn read(
    script: &mut Script,
    command: usize,
    text: &[u8],
    notation: Notation,
    forest: &Forest<'_>,
    items: &[smtlib::sexp::Sexp],
) -> Result<Outcome, ModelError> {
    let outline = outline::read(forest, items);
    let read = with_script_before(script, command, text, |parser| {
        parser.legacy_strings = notation.escapes == Escapes::Legacy;
        let model = Model { notes: outline.notes, ..Model::default() };
        let mut reader = Reader {
            parser,
            text,
            model,
            rounds: notation.rounds,
            places: vec![],
            qualified: vec![],
            first_error: None,
        };
        Ok(reader.run(forest, &outline.parts, &outline.elements).map(|()| match &reader.qualified[..] {
            [] => Outcome::Read(reader.model),
            bodies => Outcome::Qualified(qualify::splice(text, bodies)),
        }))
    });
    read.map_err(|error| ModelError::text(text, error))?
}

pub(super) struct Reader<'r, 'a> {
    pub(super) parser: &'r mut Parser<'a>,
    pub(super) text: &'r [u8],
    pub(super) model: Model,
    /// Whether decimals are rounded numbers.
    rounds: bool,
    /// Each part, with what it defines.
    places: Vec<(Part, Head, Place)>,
    /// Bodies that had to be rewritten with qualifiers.
    qualified: Vec<(Part, Vec<u8>)>,
    /// The first definition that could not be read.
    first_error: Option<ModelError>,
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

impl Place {
    fn decl(&self) -> Option<DeclId> {
        match self {
            Place::Script(decl) | Place::Auxiliary(decl) => Some(*decl),
            Place::Under => None,
        }
    }
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
            if let Err(error) = self.place(part) {
                self.spoil(&part.name, error);
            }
        }
        for (part, head, place) in std::mem::take(&mut self.places) {
            let decl = place.decl();
            if let Err(error) = self.body(forest, &part, head, place) {
                match decl {
                    Some(decl) => self.spoil_one(decl, error),
                    None => self.spoil(&part.name, error),
                }
            }
        }
        let nothing = self.model.functions.is_empty() && self.model.under.is_empty();
        match self.first_error.take().filter(|_| nothing && self.qualified.is_empty()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Makes every function of a name opaque that the definition may be about.
    fn spoil(&mut self, name: &[u8], error: ModelError) {
        let symbol = self.pool().symbol(name);
        for decl in self.decls(symbol) {
            if matches!(self.pool().decl(decl).role, Role::Declared) {
                self.model.opaque.insert(decl, error.to_string());
            }
        }
        self.note(name, &format!("cannot be used: {error}"));
        self.first_error.get_or_insert(error);
    }

    fn spoil_one(&mut self, decl: DeclId, error: ModelError) {
        self.make_opaque(decl, error.to_string());
        self.first_error.get_or_insert(error);
    }

    /// Makes everything that depends on the function unknown from now on.
    fn make_opaque(&mut self, decl: DeclId, why: String) {
        let name = self.pool().decl(decl).name;
        let name = self.pool().bytes(name).to_vec();
        self.note(&name, &format!("cannot be used: {why}"));
        self.model.functions.remove(&decl);
        if self.model.auxiliary.contains(&decl) {
            self.pool().decls[decl.0 as usize].role = Role::Declared;
        }
        self.model.opaque.insert(decl, why);
    }

    pub(super) fn pool(&mut self) -> &mut Pool {
        &mut self.parser.pool
    }

    pub(super) fn note(&mut self, name: &[u8], what: &str) {
        self.model.notes.push(format!("`{}` {what}", String::from_utf8_lossy(name)));
    }

    pub(super) fn decls(&mut self, symbol: Symbol) -> Vec<DeclId> {
        self.parser.functions_named(symbol)
    }

    pub(super) fn add_decl(&mut self, name: Symbol, params: &[SortId], result: SortId, role: Role) -> DeclId {
        let (sort_params, params, span) = ([].into(), params.into(), Span::default());
        let id = self.pool().add_decl(Decl { name, sort_params, params, result, role, span, of_model: true });
        self.parser.declare(name, id);
        id
    }

    // Definitions.

    pub(super) fn sort(&mut self, name: &[u8], span: Span) -> Result<SortId, ModelError> {
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

    /// First pass: resolves the name of a definition.
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
        self.model.auxiliary.push(decl);
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
                        let own = self.model.auxiliary.contains(&decl);
                        return Ok(Some(if own { Place::Auxiliary(decl) } else { Place::Script(decl) }));
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
        if self.rounds
            && let Some(decl) = place.decl()
            && let Some(number) = yices::rounded(forest, part.body_sexp)
        {
            self.make_opaque(decl, format!("{} is rounded", String::from_utf8_lossy(number)));
            return Ok(());
        }
        if place.decl().is_some_and(|decl| self.model.opaque.contains_key(&decl)) {
            return Ok(());
        }
        let result = match place {
            // The sort is spelled as in the declaration, so that the body is coerced to it.
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
                match self.model.functions.get(&decl) {
                    Some(other) if *other != definition => self.make_opaque(decl, TWICE.to_owned()),
                    _ => {
                        self.model.functions.insert(decl, definition);
                    }
                }
            }
            Place::Under => {
                let name = String::from_utf8_lossy(&part.name).into_owned();
                self.choose(name, Definition { vars: head.vars, body });
            }
            Place::Auxiliary(decl) if matches!(self.pool().decl(decl).role, Role::Defined { .. }) => {
                self.make_opaque(decl, TWICE.to_owned());
            }
            Place::Auxiliary(decl) => {
                let vars = self.pool().binders(head.vars.into());
                self.pool().decls[decl.0 as usize].role =
                    Role::Defined { vars, body, recursive: part.recursive };
            }
        }
        Ok(())
    }

    /// Records a choice at an under-specified point. If there are two for the same points, neither is used.
    fn choose(&mut self, name: String, definition: Definition) {
        let sorts = |definition: &Definition| -> Vec<SortId> {
            definition.vars.iter().map(|&(_, sort)| sort).collect()
        };
        let rival = |(other, known): &(String, Definition)| {
            *other == name && *known != definition && sorts(known) == sorts(&definition)
        };
        if self.model.under.iter().any(rival) {
            self.model.under.retain(|known| !rival(known));
            self.note(name.as_bytes(), TWICE);
            return;
        }
        self.model.under.push((name, definition));
    }

    /// Rewrites a body with qualifiers, if it may lack them.
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

    /// A constant of function or array sort may be defined like a function: parameters that the declaration does not
    /// have are put under a lambda.
    fn curried(&mut self, decl: DeclId, mut definition: Definition) -> Definition {
        let (count, sort) = (self.pool().decl(decl).params.len(), self.pool().decl(decl).result);
        if definition.vars.len() > count {
            let rest = definition.vars.split_off(count);
            definition.body = self.lambda(sort, &rest, definition.body);
        }
        definition
    }

    /// A value of a map sort from a body over its indices, which may belong to several nested map sorts.
    fn lambda(&mut self, sort: SortId, vars: &[(Symbol, SortId)], body: TermId) -> TermId {
        let Some((indices, element)) = map_sort(self.pool(), sort) else { return body };
        let (own, rest) = vars.split_at(indices.len().min(vars.len()));
        let body = if rest.is_empty() { body } else { self.lambda(element, rest, body) };
        let binders = self.pool().binders(own.into());
        self.pool().term(Kind::Quant(Quantifier::Lambda, binders), sort, &[body])
    }
}

/// The indices and the elements of a sort of arrays or functions.
fn map_sort(pool: &Pool, sort: SortId) -> Option<(Vec<SortId>, SortId)> {
    match pool.sort(sort) {
        Sort::Array(index, element) => Some((vec![*index], *element)),
        Sort::Fun(sorts) | Sort::MultiArray(sorts) => {
            let (element, indices) = sorts.split_last()?;
            Some((indices.to_vec(), *element))
        }
        _ => None,
    }
}

/// Whether an error is typical of a value without its qualifier.
fn lacks_qualifier(error: &Error) -> bool {
    matches!(
        error.kind,
        ErrorKind::NeedsQualifier { .. } | ErrorKind::NoRank { .. } | ErrorKind::ArgumentSort { .. }
    )
}

/// Whether a definition's parameters and result match those of a declaration. The indices of a map result may be
/// written as further parameters.
fn same_rank(pool: &Pool, declared: &Decl, sorts: &[SortId]) -> bool {
    let mut known: Vec<SortId> = declared.params.to_vec();
    let mut result = declared.result;
    while sorts.len() > known.len() + 1
        && let Some((indices, element)) = map_sort(pool, result)
    {
        known.extend(indices);
        result = element;
    }
    known.push(result);
    known.len() == sorts.len() && known.iter().zip(sorts).all(|(&a, &b)| same_sort(pool, a, b))
}

/// Whether some solver treats two sorts as one: z3 prints `(Set T)` for `(Array T Bool)` and arrays for functions.
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
