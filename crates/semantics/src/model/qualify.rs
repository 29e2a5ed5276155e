//! Adds the qualifiers that z3 leaves out of values of parametric datatypes.
//!
//! z3 prints `(cons 1 nil)` where only `(cons 1 (as nil (List Int)))` determines which list is meant. The sort that a
//! value must have is known from its definition and passed down: constructors get `(as … Sort)`, the branches of
//! `ite`, the elements of arrays and sequences get the sort they must have. Variables of `let` are replaced by their
//! values, because their sorts follow from their uses. The result is text for the ordinary parser.

use super::outline::{Part, bare};
use hashbrown::HashMap;
use smtlib::parser::Parser;
use smtlib::printer::sort_text;
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::{Symbol, write_name};
use smtlib::term::{DeclId, Role};

const TEXT_LIMIT: usize = 16 << 20;
const DEPTH: usize = 2_000;

/// Whether a sort is, or contains, a datatype with parameters.
pub(super) fn needs(parser: &Parser<'_>, sort: SortId) -> bool {
    match parser.pool.sort(sort) {
        Sort::Declared(_, args) => {
            (!args.is_empty() && parser.pool.datatype(sort).is_some()) || {
                let datatype = parser.pool.datatype(sort).map(|(datatype, _)| datatype);
                datatype.is_some_and(|datatype| {
                    datatype.constructors.iter().any(|constructor| {
                        let params = &parser.pool.decl(constructor.decl).params;
                        params.iter().any(|&field| field != sort && is_parametric(parser, field))
                    })
                })
            }
        }
        Sort::Array(index, element) => needs(parser, *index) || needs(parser, *element),
        Sort::Seq(element) | Sort::FiniteSet(element) | Sort::Set(element) => needs(parser, *element),
        _ => false,
    }
}

fn is_parametric(parser: &Parser<'_>, sort: SortId) -> bool {
    matches!(parser.pool.sort(sort), Sort::Declared(_, args) if !args.is_empty())
}

/// The body of a definition, qualified; `None` if it would be too large.
pub(super) fn body(
    parser: &mut Parser<'_>,
    forest: &Forest<'_>,
    body: Sexp,
    vars: &[(Symbol, SortId)],
    result: SortId,
) -> Option<Vec<u8>> {
    let vars = vars.iter().map(|&(name, sort)| (parser.pool.bytes(name).to_vec(), sort)).collect();
    let mut writer = Writer { parser, forest, vars, lets: HashMap::new(), out: vec![] };
    writer.write(body, Some(result), 0)?;
    Some(writer.out)
}

/// The text of a whole model with these bodies in place of the old ones.
pub(super) fn splice(text: &[u8], bodies: &[(Part, Vec<u8>)]) -> Vec<u8> {
    let mut order: Vec<&(Part, Vec<u8>)> = bodies.iter().collect();
    order.sort_by_key(|(part, _)| part.body.start);
    let mut out = vec![];
    let mut at = 0;
    for (part, body) in order {
        let range = part.body.range();
        out.extend_from_slice(&text[at..range.start]);
        out.extend_from_slice(body);
        at = range.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

struct Writer<'w, 'a, 's> {
    parser: &'w mut Parser<'a>,
    forest: &'w Forest<'s>,
    vars: HashMap<Vec<u8>, SortId>,
    lets: HashMap<Vec<u8>, Sexp>,
    out: Vec<u8>,
}

impl Writer<'_, '_, '_> {
    fn write(&mut self, sexp: Sexp, expected: Option<SortId>, depth: usize) -> Option<()> {
        if self.out.len() > TEXT_LIMIT || depth > DEPTH {
            return None;
        }
        match self.forest.view(sexp) {
            View::Atom(atom) => {
                if let Some(&value) = self.lets.get(bare(atom)) {
                    return self.write(value, expected, depth + 1);
                }
                match expected.and_then(|sort| self.constructor(atom, sort)) {
                    Some(_) => self.qualified(atom, expected?),
                    None => self.out.extend_from_slice(atom),
                }
                Some(())
            }
            View::List(list) => {
                let list = list.to_vec();
                self.list(sexp, &list, expected, depth)
            }
        }
    }

    /// The constructor of this name, if the sort is a datatype that has one.
    fn constructor(&self, atom: &[u8], sort: SortId) -> Option<DeclId> {
        let (datatype, _) = self.parser.pool.datatype(sort)?;
        let named = |decl: &DeclId| self.parser.pool.bytes(self.parser.pool.decl(*decl).name) == bare(atom);
        datatype.constructors.iter().map(|constructor| constructor.decl).find(named)
    }

    fn qualified(&mut self, name: &[u8], sort: SortId) {
        self.out.extend(b"(as ");
        write_name(&mut self.out, bare(name));
        self.out.extend(format!(" {})", sort_text(&self.parser.pool, sort)).bytes());
    }

    fn list(&mut self, sexp: Sexp, list: &[Sexp], expected: Option<SortId>, depth: usize) -> Option<()> {
        let head = list.first().and_then(|&head| self.forest.atom(head)).unwrap_or(b"").to_vec();
        match (&head[..], list) {
            (b"let", &[_, bindings, body]) => {
                for &binding in self.forest.list(bindings) {
                    let &[name, value] = self.forest.list(binding) else { return None };
                    self.lets.insert(bare(self.forest.atom(name)?).to_vec(), value);
                }
                self.write(body, expected, depth + 1)
            }
            (b"_" | b"as" | b"forall" | b"exists" | b"lambda", _) => {
                self.out.extend_from_slice(self.forest.text(sexp));
                Some(())
            }
            (b"ite", &[_, condition, then, otherwise]) => {
                let sorts = [Some(SortId::BOOL), expected, expected];
                self.call(list[0], &[condition, then, otherwise], &sorts, depth)
            }
            (b"=" | b"distinct", [_, sides @ ..]) => {
                let sort = sides.iter().find_map(|&side| self.sort_of(side));
                self.call(list[0], sides, &vec![sort; sides.len()], depth)
            }
            (b"", [_, args @ ..]) => {
                let sorts = self.constant(list[0], args.len());
                self.call(list[0], args, &sorts, depth)
            }
            (_, [_, args @ ..]) => self.application(list[0], &head, args, expected, depth),
            _ => None,
        }
    }

    fn call(&mut self, head: Sexp, args: &[Sexp], sorts: &[Option<SortId>], depth: usize) -> Option<()> {
        self.out.push(b'(');
        self.out.extend_from_slice(self.forest.text(head));
        self.arguments(args, sorts, depth)
    }

    fn arguments(&mut self, args: &[Sexp], sorts: &[Option<SortId>], depth: usize) -> Option<()> {
        for (&arg, &sort) in args.iter().zip(sorts) {
            self.out.push(b' ');
            self.write(arg, sort, depth + 1)?;
        }
        self.out.push(b')');
        Some(())
    }

    /// `((as const (Array I E)) v)`: the sort of the value.
    fn constant(&mut self, head: Sexp, count: usize) -> Vec<Option<SortId>> {
        let element = match self.forest.list(head) {
            &[_, _, sort] => self.parser.sort_at(self.forest.span(sort)).ok(),
            _ => None,
        };
        let element = element.and_then(|sort| match self.parser.pool.sort(sort) {
            Sort::Array(_, element) => Some(*element),
            _ => None,
        });
        vec![element; count]
    }

    fn application(
        &mut self,
        head: Sexp,
        name: &[u8],
        args: &[Sexp],
        expected: Option<SortId>,
        depth: usize,
    ) -> Option<()> {
        if let Some(sort) = expected
            && let Some(decl) = self.constructor(name, sort)
        {
            let decl = self.parser.pool.decl(decl).clone();
            let sort_args = match self.parser.pool.sort(sort) {
                Sort::Declared(_, args) => args.to_vec(),
                _ => vec![],
            };
            self.out.push(b'(');
            self.qualified(name, sort);
            let fields: Vec<Option<SortId>> = decl
                .params
                .iter()
                .map(|&field| Some(self.parser.pool.substitute_sort(field, &decl.sort_params, &sort_args)))
                .collect();
            return (fields.len() == args.len())
                .then_some(())
                .and_then(|()| self.arguments(args, &fields, depth));
        }
        let sorts = self.argument_sorts(name, args.len(), expected);
        self.call(head, args, &sorts, depth)
    }

    fn argument_sorts(&mut self, name: &[u8], count: usize, expected: Option<SortId>) -> Vec<Option<SortId>> {
        let sort = expected.map(|sort| self.parser.pool.sort(sort).clone());
        match (name, sort) {
            (b"store", Some(Sort::Array(index, element))) if count == 3 => {
                vec![expected, Some(index), Some(element)]
            }
            (b"seq.unit", Some(Sort::Seq(element))) => vec![Some(element)],
            (b"set.singleton", Some(Sort::Set(element) | Sort::FiniteSet(element))) => vec![Some(element)],
            (b"seq.++" | b"set.union", Some(_)) => vec![expected; count],
            (b"and" | b"or" | b"not" | b"=>" | b"xor", _) => vec![Some(SortId::BOOL); count],
            _ => match self.function(name, count) {
                Some(decl) => self.parser.pool.decl(decl).params.iter().map(|&sort| Some(sort)).collect(),
                None => vec![None; count],
            },
        }
    }

    /// A function without sort parameters that takes this number of arguments, if only one does.
    fn function(&mut self, name: &[u8], count: usize) -> Option<DeclId> {
        let symbol = self.parser.pool.symbols.find(bare(name))?;
        let decls = self.parser.functions_named(symbol);
        let mut fitting = decls.into_iter().filter(|&decl| {
            let decl = self.parser.pool.decl(decl);
            decl.params.len() == count
                && decl.sort_params.is_empty()
                && !matches!(decl.role, Role::Constructor { .. })
        });
        let only = fitting.next()?;
        fitting.next().is_none().then_some(only)
    }

    /// The sort of a side of an equation, if it is easy to determine.
    fn sort_of(&mut self, sexp: Sexp) -> Option<SortId> {
        match self.forest.view(sexp) {
            View::Atom(atom) => {
                let name = bare(atom).to_vec();
                if let Some(&value) = self.lets.get(&name) {
                    return self.sort_of(value);
                }
                if let Some(&sort) = self.vars.get(&name) {
                    return Some(sort);
                }
                self.function(&name, 0).map(|decl| self.parser.pool.decl(decl).result)
            }
            View::List(list) => {
                let name = self.forest.atom(*list.first()?)?.to_vec();
                let count = list.len() - 1;
                self.function(&name, count).map(|decl| self.parser.pool.decl(decl).result)
            }
        }
    }
}
