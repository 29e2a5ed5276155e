//! An individual as text in parts: options, logic, declarations and assertions, with one check-sat at the end.
//!
//! The parts are what crossover exchanges and what mutation adds and removes. A genome is always read from a script
//! that type-checks, and every change is read again before it is used, so an individual is well-typed whatever was done
//! to it. Scripts with scopes, several check-sats or optimisation have no genome.

use crate::mutant::logic::Logic;
use crate::{Prepared, Rng};
use corpus::{Origin, Seed};
use rustc_hash::FxHashSet;
use smtlib::lexer::{Lexer, TokenKind};
use smtlib::printer::{Format, command_text, print_mapped};
use smtlib::{Command, Pool, Script};

/// A first individual has at most this many assertions and this much text.
const ASSERTIONS: usize = 8;
const TEXT: usize = 8_000;

/// An individual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genome {
    pub options: Vec<Vec<u8>>,
    pub logic: Option<String>,
    pub declarations: Vec<Declaration>,
    /// Whole `assert` commands.
    pub assertions: Vec<Vec<u8>>,
}

/// A command that declares or defines names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub names: Vec<Vec<u8>>,
    pub text: Vec<u8>,
}

/// Reads a script that was not in the bank; `None` if it does not type-check.
pub fn prepare(text: Vec<u8>) -> Option<Prepared> {
    let script = Script::parse(&text).ok()?;
    let printed = print_mapped(&script, Format::Faithful);
    let seed = Seed::new("individual".to_owned(), Origin::Embedded, text.into()).ok()?;
    Some(Prepared::new(seed, script, printed))
}

impl Genome {
    /// Whether a script has this form.
    pub fn fits(script: &Script) -> bool {
        let pool = &script.pool;
        let checks = script.commands.iter().filter(|command| **command == Command::CheckSat).count();
        let last = script.commands.iter().rposition(|command| matches!(command, Command::Assert(_)));
        let check = script.commands.iter().position(|command| *command == Command::CheckSat);
        let is_known = |command: &Command| match command {
            Command::SetLogic(_) | Command::SetOption(..) | Command::SetInfo(..) | Command::Exit => true,
            Command::GetValue(_) | Command::CheckSat | Command::Assert(_) => true,
            Command::Other { name, .. } => pool.bytes(*name).starts_with(b"get-"),
            _ => command.is_declaration(),
        };
        checks == 1 && last.is_some() && last < check && script.commands.iter().all(is_known)
    }

    /// The parts of a script, if it has this form.
    pub fn of(script: &Script) -> Option<Genome> {
        let pool = &script.pool;
        let mut genome = Genome { options: vec![], logic: None, declarations: vec![], assertions: vec![] };
        let mut checked = false;
        for command in &script.commands {
            match command {
                Command::SetLogic(name) if genome.logic.is_none() => {
                    genome.logic = Some(pool.name(*name).into_owned());
                }
                Command::SetOption(..) if !checked => genome.options.push(command_text(pool, command)),
                Command::SetInfo(..) | Command::Exit | Command::GetValue(_) => {}
                Command::Other { name, .. } if pool.bytes(*name).starts_with(b"get-") => {}
                Command::CheckSat if !checked => checked = true,
                Command::Assert(_) if !checked => genome.assertions.push(command_text(pool, command)),
                _ if command.is_declaration() => {
                    let names = names(pool, command);
                    genome.declarations.push(Declaration { names, text: command_text(pool, command) });
                }
                _ => return None,
            }
        }
        (checked && !genome.assertions.is_empty()).then_some(genome)
    }

    /// The script.
    pub fn text(&self) -> Vec<u8> {
        let mut out = vec![];
        let mut line = |text: &[u8]| {
            out.extend_from_slice(text);
            out.push(b'\n');
        };
        self.options.iter().for_each(|option| line(option));
        if let Some(logic) = &self.logic {
            line(format!("(set-logic {logic})").as_bytes());
        }
        self.declarations.iter().for_each(|declaration| line(&declaration.text));
        self.assertions.iter().for_each(|assertion| line(assertion));
        line(b"(check-sat)");
        out
    }

    /// Reads itself again: `None` if it does not type-check or is too long.
    pub fn read(&self) -> Option<(Genome, Prepared)> {
        let text = self.text();
        if text.len() > 4 * TEXT {
            return None;
        }
        let prepared = prepare(text)?;
        Some((Genome::of(&prepared.script)?, prepared))
    }

    /// Whether `1` is a Real here.
    pub fn real_numerals(&self) -> bool {
        Logic::of(self.logic.as_deref()).real_numerals()
    }

    /// Some of the assertions, if there are many, with the declarations that they need.
    pub fn slice(mut self, rng: &mut Rng) -> Genome {
        let most = 1 + rng.below(ASSERTIONS);
        while self.assertions.len() > most
            || (self.assertions.len() > 1 && self.assertions.iter().map(Vec::len).sum::<usize>() > TEXT)
        {
            self.assertions.remove(rng.below(self.assertions.len()));
        }
        let needed = self.needed(&self.assertions);
        self.declarations.retain(|declaration| declaration.names.iter().any(|name| needed.contains(name)));
        self
    }

    /// The names that these commands use, with the names that their declarations use.
    pub fn needed(&self, commands: &[Vec<u8>]) -> FxHashSet<Vec<u8>> {
        let mut needed: FxHashSet<Vec<u8>> = commands.iter().flat_map(|text| symbols(text)).collect();
        for declaration in self.declarations.iter().rev() {
            if declaration.names.iter().any(|name| needed.contains(name)) {
                needed.extend(symbols(&declaration.text));
            }
        }
        needed
    }

    /// The declaration of a name.
    pub fn declaration(&self, name: &[u8]) -> Option<&Declaration> {
        self.declarations.iter().find(|declaration| declaration.names.iter().any(|own| own == name))
    }
}

/// All symbols of a text, without bars.
pub fn symbols(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lexer = Lexer::new(text);
    let mut all = vec![];
    while let Ok(token) = lexer.next_token() {
        match token.kind {
            TokenKind::End => break,
            TokenKind::Symbol | TokenKind::Quoted => all.push(lexer.text(token).to_vec()),
            _ => {}
        }
    }
    all
}

/// The names that a command declares.
fn names(pool: &Pool, command: &Command) -> Vec<Vec<u8>> {
    let of = |decl| pool.bytes(pool.decl(decl).name).to_vec();
    match command {
        Command::DeclareSort(sort) => vec![pool.bytes(pool.sort_decl(*sort).name).to_vec()],
        Command::DefineSort { name, .. } => vec![pool.bytes(*name).to_vec()],
        Command::DeclareFun { decl, .. } | Command::DefineFun { decl, .. } => vec![of(*decl)],
        Command::DefineFunsRec(decls) => decls.iter().map(|&decl| of(decl)).collect(),
        Command::DeclareDatatypes { sorts, .. } => {
            let mut names = vec![];
            for &sort in sorts {
                names.push(pool.bytes(pool.sort_decl(sort).name).to_vec());
                for constructor in pool.sort_decl(sort).datatype.iter().flat_map(|d| &d.constructors) {
                    names.push(of(constructor.decl));
                    names.extend(constructor.selectors.iter().map(|&selector| of(selector)));
                }
            }
            names
        }
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignKey;

    fn genome(text: &str) -> Option<Genome> {
        Genome::of(&Script::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn a_script_is_its_parts_and_scopes_have_no_genome() {
        let text = "(set-option :produce-models true)\n(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (< x 1))\n(check-sat)\n";
        let found = genome(text).unwrap();
        assert_eq!(String::from_utf8(found.text()).unwrap(), text);
        assert!(genome("(push 1)(assert true)(check-sat)").is_none());
        assert!(genome("(assert true)(check-sat)(assert false)(check-sat)").is_none());
        assert!(genome("(check-sat)").is_none(), "nothing to change");
        assert!(genome("(assert true)(check-sat)(get-model)(exit)").is_some());
    }

    #[test]
    fn a_slice_keeps_the_declarations_that_its_assertions_need() {
        let mut text =
            "(declare-sort S 0)(define-sort T () S)(declare-fun a () T)(declare-fun |b c| () Int)".to_owned();
        text.push_str("(declare-fun unused () Int)(assert (= a a))(assert (< |b c| 3))(check-sat)");
        let whole = genome(&text).unwrap();
        let mut seen = FxHashSet::default();
        for unit in 0..40 {
            let mut rng = Rng::of(&CampaignKey("k".into()), "s", unit);
            let slice = whole.clone().slice(&mut rng);
            assert!(slice.read().is_some(), "{}", String::from_utf8_lossy(&slice.text()));
            seen.insert((slice.assertions.len(), slice.declarations.len()));
        }
        assert!(seen.contains(&(2, 4)) || seen.contains(&(2, 3)), "{seen:?}");
        assert!(seen.contains(&(1, 1)), "{seen:?}");
        assert!(!seen.iter().any(|&(_, declarations)| declarations == 5));
    }
}
