//! `changes`: string formulas of seeds, changed as a whole.
//!
//! Idea. A change of every literal at once leads a solver elsewhere while the problem stays as hard, or stays the same
//! problem: then both answers must agree, which is an oracle without a second solver.
//! From: Blotsky, Mora, Berzish, Zheng, Kabir, Ganesh, "StringFuzz: A Fuzzer for String Solvers" (CAV 2018): its
//! transformers nop, strip, reverse, translate, multiply, fuzz, graft and rotate (`--part`).
//! Sound because: *nop* and *strip* (without comments and information) change nothing that has a meaning. *Reverse*
//! reverses every word and the order of every concatenation and exchanges prefixes and suffixes; reversing every string
//! is a bijection under which all operators that it allows (`REVERSIBLE`) keep their meaning. *Translate* permutes
//! letters and digits, also a bijection, for operators that do not look at a character's code (`TRANSLATABLE`).
//! *Multiply* repeats each character n times and multiplies numbers by n: a model becomes a model of the result
//! (`MULTIPLIABLE`), but the result may have others, so `sat` implies `sat` and nothing else. A seed with any other
//! operator, another sort or a backslash in a literal (releases read those differently) is not changed in these ways.
//! *Fuzz*, *graft* and *rotate* promise nothing.
//! Cost: a copy of the seed's text; graft and fuzz search the seed first. *Nop* is used only by its name.
//! `--notation 2.5` writes the names that operators had before SMT-LIB 2.6.

use crate::evolve::genome::prepare;
use crate::evolve::mutate;
use crate::mutant::splice::{Edit, splice};
use crate::notation;
use crate::{At, Bank, Draft, Plain, Prepared, Propose, Relation, Rng, Role, Settings, Skip, Strategy};
use smtlib::printer::Occurrence;
use smtlib::term::{Kind, Lit};
use smtlib::{Command, Sort};

pub const STRATEGY: Strategy = Strategy {
    name: "changes",
    about: "string formulas changed as a whole: reversed, translated, multiplied, rotated",
    source: include_str!("changes.rs"),
    begin: |bank, settings| Ok(Box::new(Plain(Changes::of(bank, settings)?))),
};

/// A way to change a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Nop,
    Strip,
    Reverse,
    Translate,
    Multiply,
    Fuzz,
    Graft,
    Rotate,
}

/// What the answers have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    Answer,
    Sat,
    Nothing,
}

impl Change {
    pub const ALL: [(&'static str, Change, Keeps); 8] = [
        ("nop", Change::Nop, Keeps::Answer),
        ("strip", Change::Strip, Keeps::Answer),
        ("reverse", Change::Reverse, Keeps::Answer),
        ("translate", Change::Translate, Keeps::Answer),
        ("multiply", Change::Multiply, Keeps::Sat),
        ("fuzz", Change::Fuzz, Keeps::Nothing),
        ("graft", Change::Graft, Keeps::Nothing),
        ("rotate", Change::Rotate, Keeps::Nothing),
    ];
}

/// Operators that mean the same whatever strings are.
const PLAIN: &[&str] = &[
    "true",
    "false",
    "not",
    "and",
    "or",
    "=>",
    "xor",
    "=",
    "distinct",
    "ite",
    "+",
    "-",
    "<",
    "<=",
    ">",
    ">=",
    "str.++",
    "str.len",
    "str.prefixof",
    "str.suffixof",
    "str.contains",
];

const LANGUAGES: &[&str] = &[
    "str.in_re",
    "str.to_re",
    "re.none",
    "re.all",
    "re.allchar",
    "re.++",
    "re.union",
    "re.inter",
    "re.diff",
    "re.*",
    "re.+",
    "re.opt",
    "re.comp",
    "re.^",
    "re.loop",
    "*",
    "div",
    "mod",
    "abs",
];

/// What may occur beside these where every string is reversed, translated, or multiplied.
pub const REVERSIBLE: [&[&str]; 3] = [PLAIN, LANGUAGES, &["re.range"]];
pub const TRANSLATABLE: [&[&str]; 3] = [
    PLAIN,
    LANGUAGES,
    &[
        "str.at",
        "str.substr",
        "str.indexof",
        "str.replace",
        "str.replace_all",
        "str.replace_re",
        "str.replace_re_all",
    ],
];
pub const MULTIPLIABLE: [&[&str]; 3] = [PLAIN, &[], &[]];

/// A longer seed is not searched for what may be changed: that would take longer than solving it.
const SEARCHED: usize = 20_000;

struct Changes {
    bank: Bank,
    /// Seeds about strings.
    seeds: Vec<u32>,
    ways: Vec<(&'static str, Change, Keeps)>,
    old: bool,
}

impl Changes {
    fn of(bank: &Bank, settings: &Settings) -> Result<Changes, Skip> {
        let about_strings = |n: &u32| {
            let pool = &bank.seeds()[*n as usize].script.pool;
            (0..pool.len() as u32).any(|term| *pool.sort(pool.sort_of(smtlib::TermId(term))) == Sort::String)
        };
        let seeds: Vec<u32> = (0..bank.len() as u32).filter(about_strings).collect();
        if seeds.is_empty() {
            return Err(Skip::NoSeed("no seed is about strings"));
        }
        let wanted: Vec<&str> = settings.part.iter().flat_map(|part| part.split(',')).collect();
        let known: Vec<_> = Change::ALL.into_iter().filter(|way| wanted.contains(&way.0)).collect();
        // Without a wish, nothing is asked twice in the same words.
        let usual = || Change::ALL.into_iter().filter(|way| way.1 != Change::Nop).collect();
        let ways = if known.is_empty() { usual() } else { known };
        let old = settings.notation.as_deref() == Some(notation::OLD);
        Ok(Changes { bank: bank.clone(), seeds, ways, old })
    }
}

impl Propose for Changes {
    fn propose(&self, _: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let number = self.seeds[rng.below(self.seeds.len())];
        let prepared = &self.bank.seeds()[number as usize];
        let (name, change, keeps) = self.ways[rng.below(self.ways.len())];
        let nothing =
            || Skip::NothingToDo { seed: prepared.seed.id, why: "it cannot be changed in this way" };
        let script = changed(prepared, change, rng).ok_or_else(nothing)?;
        let spelled = |text: Vec<u8>| if self.old { notation::old(&text) } else { text };
        let mut draft = Draft::of(spelled(script)).seeds([prepared.seed.id]).rules([name.to_owned()]);
        if keeps != Keeps::Nothing {
            draft.ask(Role::Before, spelled(prepared.printed.bytes.clone()));
            for check in 0..prepared.script.understood_checks() {
                let (formula, before) = (At { question: 0, check }, At { question: 1, check });
                draft.relations.push(match keeps {
                    Keeps::Answer => Relation::SameAnswer(before, formula),
                    _ => Relation::SatImplies(before, formula),
                });
            }
        }
        Ok(vec![draft])
    }
}

/// The changed formula, if it can be changed in this way.
pub fn changed(prepared: &Prepared, change: Change, rng: &mut Rng) -> Option<Vec<u8>> {
    match change {
        Change::Nop => Some(prepared.printed.bytes.clone()),
        Change::Strip => Some(strip(prepared)),
        Change::Reverse => allows(prepared, &REVERSIBLE).then(|| Tree::of(prepared).reversed()),
        Change::Translate => allows(prepared, &TRANSLATABLE).then(|| translate(prepared, rng)),
        Change::Multiply => {
            let has_binder = prepared.printed.occurrences.iter().any(|occurrence| {
                matches!(prepared.script.pool.kind(occurrence.term), Kind::Quant(..) | Kind::Match(_))
            });
            (!has_binder && !has_functions(prepared) && allows(prepared, &MULTIPLIABLE))
                .then(|| multiply(prepared, 2 + rng.below(3)))
        }
        Change::Fuzz | Change::Graft if prepared.printed.bytes.len() > SEARCHED => None,
        Change::Fuzz => {
            let differs = |text: &Vec<u8>| text != &prepared.printed.bytes;
            mutate::literal_or_operator(prepared, rng).filter(differs)
        }
        Change::Graft => mutate::graft(prepared, rng).filter(|text| prepare(text.clone()).is_some()),
        Change::Rotate => Tree::of(prepared).rotated(rng).filter(|text| prepare(text.clone()).is_some()),
    }
}

/// Whether every operator is one of these, every sort is plain, and every literal is read alike by all releases.
fn allows(prepared: &Prepared, operators: &[&[&str]; 3]) -> bool {
    let pool = &prepared.script.pool;
    let is_plain_sort = |sort: &Sort| matches!(sort, Sort::Bool | Sort::Int | Sort::String | Sort::RegLan);
    let is_allowed = |occurrence: &Occurrence| {
        let term = occurrence.term;
        is_plain_sort(pool.sort(pool.sort_of(term)))
            && match pool.kind(term) {
                Kind::Op { op, .. } => operators.iter().any(|list| list.contains(&op.row().name)),
                Kind::Lit(Lit::String, text) => {
                    pool.bytes(text).iter().all(|byte| (b' '..0x7f).contains(byte) && *byte != b'\\')
                }
                Kind::Lit(lit, _) => lit == Lit::Numeral,
                Kind::Fun { .. } | Kind::Var(_) | Kind::Let(_) | Kind::Quant(..) => true,
                _ => false,
            }
    };
    let is_plain_command = |command: &Command| {
        !matches!(
            command,
            Command::DeclareDatatypes { .. }
                | Command::DeclareSort(_)
                | Command::AssertSoft(..)
                | Command::Minimize(..)
                | Command::Maximize(..)
                | Command::CheckSatUsing(_)
        )
    };
    prepared.script.checks() == prepared.script.understood_checks()
        && prepared.script.commands.iter().all(is_plain_command)
        && prepared.printed.occurrences.iter().all(is_allowed)
}

/// Whether a declared function takes arguments.
fn has_functions(prepared: &Prepared) -> bool {
    let pool = &prepared.script.pool;
    prepared.script.commands.iter().any(
        |command| matches!(command, Command::DeclareFun { decl, .. } if !pool.decl(*decl).params.is_empty()),
    )
}

/// Without comments and information.
fn strip(prepared: &Prepared) -> Vec<u8> {
    let (printed, pool) = (&prepared.printed, &prepared.script.pool);
    let mut out = vec![];
    for (n, command) in prepared.script.commands.iter().enumerate() {
        // The version may decide how literals are read.
        if matches!(command, Command::SetInfo(key, _) if pool.bytes(*key) != b":smt-lib-version") {
            continue;
        }
        let end = printed.commands.get(n + 1).map_or(printed.bytes.len(), |&next| next as usize);
        out.extend_from_slice(&printed.bytes[printed.commands[n] as usize..end]);
    }
    out
}

/// Every literal, with its place and kind.
fn literals(prepared: &Prepared) -> impl Iterator<Item = (&Occurrence, Lit)> {
    let pool = &prepared.script.pool;
    prepared.printed.occurrences.iter().filter_map(|occurrence| match pool.kind(occurrence.term) {
        Kind::Lit(lit, _) => Some((occurrence, lit)),
        _ => None,
    })
}

/// The text between the quotes of a literal as characters; two quotes are one.
fn body(prepared: &Prepared, occurrence: &Occurrence) -> Vec<u8> {
    let text = &prepared.printed.bytes[occurrence.start as usize..occurrence.end as usize];
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let mut out: Vec<u8> = vec![];
    let mut skip = false;
    for &byte in inner {
        skip = byte == b'"' && !skip;
        if !skip || byte != b'"' {
            out.push(byte);
        }
    }
    out
}

fn quoted(body: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for &byte in body {
        out.push(byte);
        if byte == b'"' {
            out.push(b'"');
        }
    }
    out.push(b'"');
    out
}

/// All literals rewritten.
fn rewrite(prepared: &Prepared, new: impl Fn(Lit, &Occurrence) -> Option<Vec<u8>>) -> Vec<u8> {
    let texts: Vec<(u32, u32, Vec<u8>)> = literals(prepared)
        .filter_map(|(occurrence, lit)| Some((occurrence.start, occurrence.end, new(lit, occurrence)?)))
        .collect();
    let mut edits: Vec<Edit<'_>> =
        texts.iter().map(|(start, end, text)| Edit { start: *start, end: *end, text }).collect();
    splice(&prepared.printed.bytes, &mut edits)
}

/// Letters and digits permuted.
fn translate(prepared: &Prepared, rng: &mut Rng) -> Vec<u8> {
    let alphabet: Vec<u8> = (b'0'..=b'9').chain(b'A'..=b'Z').chain(b'a'..=b'z').collect();
    let mut shuffled = alphabet.clone();
    for n in (1..shuffled.len()).rev() {
        shuffled.swap(n, rng.below(n + 1));
    }
    let map = |byte: u8| alphabet.iter().position(|&own| own == byte).map_or(byte, |at| shuffled[at]);
    rewrite(prepared, |lit, occurrence| {
        let text: Vec<u8> = body(prepared, occurrence).into_iter().map(map).collect();
        (lit == Lit::String).then(|| quoted(&text))
    })
}

/// Every character n times, every number n times as large.
fn multiply(prepared: &Prepared, times: usize) -> Vec<u8> {
    rewrite(prepared, |lit, occurrence| match lit {
        Lit::String => {
            let text = body(prepared, occurrence);
            Some(quoted(&text.iter().flat_map(|&byte| std::iter::repeat_n(byte, times)).collect::<Vec<u8>>()))
        }
        Lit::Numeral => {
            let text = &prepared.printed.bytes[occurrence.start as usize..occurrence.end as usize];
            let value: dashu_int::UBig = std::str::from_utf8(text).ok()?.parse().ok()?;
            Some((value * dashu_int::UBig::from(times)).to_string().into_bytes())
        }
        _ => None,
    })
}

/// The terms of a script as a tree, to write them in another order.
struct Tree<'p> {
    prepared: &'p Prepared,
    children: Vec<Vec<u32>>,
}

impl<'p> Tree<'p> {
    fn of(prepared: &'p Prepared) -> Tree<'p> {
        let mut children = vec![vec![]; prepared.printed.occurrences.len()];
        for (n, occurrence) in prepared.printed.occurrences.iter().enumerate() {
            if let Some(siblings) = children.get_mut(occurrence.parent as usize) {
                siblings.push(n as u32);
            }
        }
        Tree { prepared, children }
    }

    fn name(&self, n: u32) -> &'static str {
        match self.prepared.script.pool.kind(self.prepared.printed.occurrences[n as usize].term) {
            Kind::Op { op, .. } => op.row().name,
            _ => "",
        }
    }

    /// The script with every term written anew: `text` gives the bytes of a leaf, `head` another operator, `order` the
    /// order of arguments. Arguments come after their parents, so going backwards needs no recursion.
    fn write(
        &self,
        text: impl Fn(&Occurrence) -> Option<Vec<u8>>,
        head: impl Fn(u32) -> Option<&'static str>,
        order: impl Fn(u32, &[u32]) -> Option<Vec<u32>>,
    ) -> Vec<u8> {
        let (printed, count) = (&self.prepared.printed, self.children.len());
        let mut written: Vec<Vec<u8>> = vec![vec![]; count];
        for n in (0..count).rev() {
            let occurrence = &printed.occurrences[n];
            let own = &self.children[n];
            if own.is_empty()
                && let Some(text) = text(occurrence)
            {
                written[n] = text;
                continue;
            }
            let ordered = order(n as u32, own).unwrap_or_else(|| own.clone());
            let mut out = vec![];
            let mut at = occurrence.start as usize;
            if let Some(head) = head(n as u32) {
                out.extend_from_slice(&printed.bytes[at..occurrence.head_start as usize]);
                out.extend_from_slice(head.as_bytes());
                at = occurrence.head_end as usize;
            }
            for (&place, &filler) in own.iter().zip(&ordered) {
                let place = &printed.occurrences[place as usize];
                out.extend_from_slice(&printed.bytes[at..place.start as usize]);
                out.extend_from_slice(&written[filler as usize]);
                at = place.end as usize;
            }
            out.extend_from_slice(&printed.bytes[at..occurrence.end as usize]);
            written[n] = out;
        }
        let tops =
            printed.occurrences.iter().enumerate().filter(|(_, occurrence)| occurrence.parent == u32::MAX);
        let mut edits: Vec<Edit<'_>> =
            tops.map(|(n, top)| Edit { start: top.start, end: top.end, text: &written[n] }).collect();
        splice(&printed.bytes, &mut edits)
    }

    /// Words and concatenations reversed, prefixes and suffixes exchanged.
    fn reversed(&self) -> Vec<u8> {
        let pool = &self.prepared.script.pool;
        let text = |occurrence: &Occurrence| match pool.kind(occurrence.term) {
            Kind::Lit(Lit::String, _) => {
                let mut text = body(self.prepared, occurrence);
                text.reverse();
                Some(quoted(&text))
            }
            _ => None,
        };
        let head = |n: u32| match self.name(n) {
            "str.prefixof" => Some("str.suffixof"),
            "str.suffixof" => Some("str.prefixof"),
            _ => None,
        };
        let order = |n: u32, own: &[u32]| {
            matches!(self.name(n), "str.++" | "re.++").then(|| own.iter().rev().copied().collect())
        };
        self.write(text, head, order)
    }

    /// The arguments of one operator, as far as they have one sort, move on by one place.
    fn rotated(&self, rng: &mut Rng) -> Option<Vec<u8>> {
        let pool = &self.prepared.script.pool;
        let sort = |n: u32| pool.sort_of(self.prepared.printed.occurrences[n as usize].term);
        let rotates = |n: &u32| {
            let own = &self.children[*n as usize];
            let is_op = matches!(
                pool.kind(self.prepared.printed.occurrences[*n as usize].term),
                Kind::Op { .. } | Kind::Fun { .. }
            );
            is_op && own.len() > 1 && own.iter().all(|&arg| sort(arg) == sort(own[0]))
        };
        let nodes: Vec<u32> = (0..self.children.len() as u32).filter(rotates).collect();
        let chosen = *rng.pick(&nodes)?;
        let by = 1 + rng.below(self.children[chosen as usize].len() - 1);
        let order = |n: u32, own: &[u32]| {
            (n == chosen).then(|| own.iter().cycle().skip(by).take(own.len()).copied().collect())
        };
        let text = self.write(|_| None, |_| None, order);
        (text != self.prepared.printed.bytes).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CampaignKey, unheard};
    use smtlib::Script;

    fn of(text: &str) -> Prepared {
        prepare(text.as_bytes().to_vec()).unwrap()
    }

    fn rng(unit: u64) -> Rng {
        Rng::of(&CampaignKey("k".into()), "changes", unit)
    }

    fn after(text: &str, change: Change) -> Option<String> {
        changed(&of(text), change, &mut rng(0)).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn reversing_turns_words_concatenations_and_ends_around() {
        let text = "(declare-fun x () String)\n(assert (= (str.++ x \"ab\" (str.++ \"c\"\"d\" x)) \"xyz\"))\n\
                    (assert (str.prefixof \"ab\" x))\n(assert (str.in_re x (re.++ (str.to_re \"ab\") re.all)))\n(check-sat)\n";
        let expected = "(declare-fun x () String)\n(assert (= (str.++ (str.++ x \"d\"\"c\") \"ba\" x) \"zyx\"))\n\
                        (assert (str.suffixof \"ba\" x))\n(assert (str.in_re x (re.++ re.all (str.to_re \"ba\"))))\n(check-sat)\n";
        assert_eq!(after(text, Change::Reverse).as_deref(), Some(expected));
    }

    #[test]
    fn multiplying_repeats_characters_and_multiplies_numbers() {
        let text =
            "(declare-fun x () String)\n(assert (= (str.len x) 3))\n(assert (= x \"ab\"))\n(check-sat)\n";
        let seen: Vec<String> = (0..20)
            .filter_map(|unit| changed(&of(text), Change::Multiply, &mut rng(unit)))
            .map(|text| String::from_utf8(text).unwrap())
            .collect();
        let twice = text.replace('3', "6").replace("ab", "aabb");
        assert!(seen.contains(&twice), "{seen:?}");
    }

    #[test]
    fn operators_that_look_at_positions_or_codes_are_left_alone() {
        let with = |term: &str| format!("(declare-fun x () String)(assert {term})(check-sat)");
        for term in ["(= (str.at x 1) \"a\")", "(str.< x \"a\")", "(= (str.to_int x) 1)", "(= x \"\\u{61}\")"]
        {
            assert!(after(&with(term), Change::Reverse).is_none(), "{term}");
        }
        for term in [
            "(str.< x \"a\")",
            "(= (str.to_int x) 1)",
            "(str.in_re x (re.range \"a\" \"c\"))",
            "(= x \"\\x41\")",
        ] {
            assert!(after(&with(term), Change::Translate).is_none(), "{term}");
        }
        for term in
            ["(= (str.at x 1) \"a\")", "(forall ((n Int)) (= (str.len x) n))", "(= (* 2 (str.len x)) 4)"]
        {
            assert!(after(&with(term), Change::Multiply).is_none(), "{term}");
        }
        assert!(after(&with("(= (str.at x 1) \"a\")"), Change::Translate).is_some());
    }

    #[test]
    fn every_change_of_the_seeds_is_well_typed_and_relations_come_with_the_formula_before() {
        let (bank, _) = Bank::new(corpus::embedded());
        for (name, _, keeps) in Change::ALL {
            let settings = Settings { part: Some(name.into()), ..Settings::default() };
            let source = (STRATEGY.begin)(&bank, &settings).unwrap();
            let all: Vec<Draft> =
                (0..150).flat_map(|n| unheard(&*source, n, rng(n)).unwrap_or_default()).collect();
            assert!(!all.is_empty(), "{name} changes nothing");
            for draft in all {
                let text = String::from_utf8_lossy(draft.script());
                assert!(Script::parse(draft.script()).is_ok(), "{name}: {text}");
                assert_eq!(draft.questions.len(), if keeps == Keeps::Nothing { 1 } else { 2 });
            }
        }
    }
}
