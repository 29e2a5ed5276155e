//! The elements of declared sorts in a model.
//!
//! A solver lists them (`(declare-fun U!val!0 () U)`, or comments with the representatives) or only uses them, with
//! the sort in their name. Each becomes an abstract literal of the pool and a name in scope. If all elements of a sort
//! are listed, they are its universe; if an element is used that is not listed, the size of the universe is unknown.

use super::ModelError;
use super::outline::{self, bare};
use super::read::Reader;
use smtlib::sexp::Forest;
use smtlib::sort::{Sort, SortId};
use smtlib::span::Span;
use smtlib::term::{Kind, Lit, Role};

impl Reader<'_, '_> {
    pub(super) fn element(&mut self, name: &[u8], sort: Span) -> Result<(), ModelError> {
        let sort = match self.sort(name, sort) {
            Ok(sort) => sort,
            Err(error) => {
                self.note(name, &format!("is skipped: {error}"));
                return Ok(());
            }
        };
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

    /// Makes a name an element; `listed` ones make up the sort. If the script has the same name, each occurrence is
    /// ambiguous, and the model cannot be used.
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

    pub(super) fn sort_named(&mut self, name: &[u8]) -> Option<SortId> {
        let symbol = self.pool().symbols.find(name)?;
        self.parser.declared_sort_named(symbol).filter(|&sort| self.is_uninterpreted(sort))
    }

    /// Elements that are listed in comments.
    pub(super) fn representatives(&mut self) -> Result<(), ModelError> {
        for (name, sort) in outline::representatives(self.text) {
            if let Some(sort) = self.sort_named(bare(&sort)) {
                self.add_element(bare(&name), sort, true)?;
            }
        }
        Ok(())
    }

    /// Elements that are only used: the names `@U_0`, `@uc_U_0` and z3's `U!val!0` contain their sort. Any other name
    /// that begins with `@` may be an element of any sort (`(as @e U)`), so no list of elements is believed any more.
    pub(super) fn unlisted_elements(&mut self, forest: &Forest<'_>) -> Result<(), ModelError> {
        for atom in forest.atoms() {
            let name = bare(atom);
            let (sort_name, is_reserved) = (sort_in_name(name), name.starts_with(b"@"));
            let known = self.pool().symbols.find(name).is_some_and(|symbol| !self.decls(symbol).is_empty());
            if known || sort_name.is_none() && !is_reserved {
                continue;
            }
            match sort_name.and_then(|sort_name| self.sort_named(sort_name)) {
                Some(sort) => {
                    self.add_element(name, sort, false)?;
                    // The list was not complete.
                    self.model.universe.remove(&sort);
                }
                None if is_reserved => self.model.universe.clear(),
                None => {}
            }
        }
        Ok(())
    }
}

/// The name of the sort that the name of an element begins with.
fn sort_in_name(name: &[u8]) -> Option<&[u8]> {
    if let Some(rest) = name.strip_prefix(b"@") {
        let rest = rest.strip_prefix(b"uc_").unwrap_or(rest);
        return rest.iter().rposition(|&byte| byte == b'_').map(|end| &rest[..end]);
    }
    let end = name.windows(5).rposition(|window| window == b"!val!")?;
    let number = &name[end + 5..];
    (!number.is_empty() && number.iter().all(u8::is_ascii_digit)).then_some(&name[..end])
}
