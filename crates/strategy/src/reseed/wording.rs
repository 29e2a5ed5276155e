//! What can be written differently in a seed: which terms, which symbols can be renamed, which moves are possible.

use super::Move;
use crate::mutant::donors::prefix;
use crate::mutant::places::Places;
use crate::seeds::claims;
use crate::{Expect, Ground, Prepared};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::script::Command;
use smtlib::term::{DeclId, Index, Kind, Role as DeclRole};

/// Operators whose arguments may come in any order.
const COMMUTATIVE: &[&str] = &[
    "and",
    "or",
    "xor",
    "=",
    "distinct",
    "+",
    "*",
    "bvand",
    "bvor",
    "bvxor",
    "bvadd",
    "bvmul",
    "re.union",
    "re.inter",
    "set.union",
    "set.inter",
    "fp.eq",
];

/// Comparisons, and their names with reversed arguments.
const REVERSED: &[(&str, &str)] = &[
    ("<", ">"),
    ("<=", ">="),
    ("bvult", "bvugt"),
    ("bvule", "bvuge"),
    ("bvslt", "bvsgt"),
    ("bvsle", "bvsge"),
    ("fp.lt", "fp.gt"),
    ("fp.leq", "fp.geq"),
];

/// How a term may be written differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    None,
    /// Its arguments in any order.
    Commute,
    /// Its arguments in reverse order, under this name.
    Reverse(&'static str),
    /// A symbol that may be renamed.
    Name(u32),
}

/// An occurrence of a term.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) head_start: u32,
    pub(super) head_end: u32,
    pub(super) size: u32,
    pub(super) twist: Twist,
    /// Whether nothing in it can be written differently.
    pub(super) plain: bool,
}

/// How the moves treat a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Assert,
    /// It may move in front of assertions that preceded it.
    Declaration,
    Check,
    /// No command may move across it.
    Barrier,
}

/// A piece of a command that is not simply copied.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    Term(u32),
    /// A declared name, with its start and end.
    Name(u32, u32, u32),
}

/// What can be written differently in a seed.
pub(super) struct Wording {
    pub(super) spots: Vec<Spot>,
    pub(super) parts: Vec<Part>,
    /// Per command: where its pieces begin in `pieces`.
    pub(super) first_piece: Vec<u32>,
    pub(super) pieces: Vec<Piece>,
    /// How many symbols may be renamed.
    pub(super) names: usize,
    pub(super) prefix: String,
    pub(super) claims: Vec<Option<Expect>>,
    pub(super) checks: usize,
    pub(super) moves: Vec<Move>,
}

impl Wording {
    pub(super) fn of(prepared: &Prepared, wanted: &[Move]) -> Wording {
        let places = Places::of(prepared);
        let names = renamable(prepared);
        let mut spots = spots(prepared, &places, &names);
        for n in (0..spots.len()).rev() {
            let parent = prepared.printed.occurrences[n].parent as usize;
            let (size, plain) = (spots[n].size, spots[n].plain);
            if let Some(parent) = spots.get_mut(parent) {
                parent.size += size;
                parent.plain &= plain;
            }
        }
        let (first_piece, pieces) = pieces(prepared, &names);
        let parts: Vec<Part> = prepared.script.commands.iter().map(part).collect();
        let mut claims = claims(&prepared.seed);
        for claim in claims.iter_mut().flatten() {
            if let Ground::Claim(why) = &mut claim.ground {
                why.push_str(", and this is the same problem written differently");
            }
        }
        let mut moves = moves(prepared, &places, &parts, &spots, names.len());
        moves.retain(|found| wanted.contains(found));
        Wording {
            moves,
            spots,
            parts,
            first_piece,
            pieces,
            names: names.len(),
            prefix: prefix(&prepared.script.pool),
            claims,
            checks: prepared.script.understood_checks(),
        }
    }
}

fn part(command: &Command) -> Part {
    match command {
        Command::Assert(_) => Part::Assert,
        _ if command.is_declaration() => Part::Declaration,
        _ if command.is_check() => Part::Check,
        _ => Part::Barrier,
    }
}

/// The moves that are possible for a script.
fn moves(prepared: &Prepared, places: &Places, parts: &[Part], spots: &[Spot], names: usize) -> Vec<Move> {
    let script = &prepared.script;
    let pool = &script.pool;
    let any = |found: fn(&Command) -> bool| script.commands.iter().any(found);
    // Horn clauses must keep their shape, and solvers' Horn engines have no scopes.
    if script.logic_name().is_some_and(|name| name == "HORN") {
        return vec![Move::Seed];
    }
    let asserts = parts.iter().filter(|part| **part == Part::Assert).count();
    let mentions_names = prepared.printed.occurrences.iter().any(|occurrence| {
        matches!(pool.kind(occurrence.term), Kind::Fun { decl, .. } if matches!(pool.decl(decl).role, DeclRole::Named(_)))
    });
    let has_names = places.holds.contains(&true);
    // A command with unknown effect, or one that may mention a symbol in its text.
    let strange = script.understood_checks() < script.checks();
    let mentions = any(|command| matches!(command, Command::Other { .. })) && {
        let speaks = |command: &Command| match command {
            Command::Other { name, rest } => {
                !pool.bytes(*name).starts_with(b"get-") || !pool.bytes(*rest).trim_ascii().is_empty()
            }
            _ => false,
        };
        script.commands.iter().any(speaks)
    };
    let scoped = any(|command| {
        matches!(command, Command::Push(_) | Command::Pop(_) | Command::Reset | Command::ResetAssertions)
    });
    let plain_checks =
        !any(|command| matches!(command, Command::CheckSatAssuming(_) | Command::CheckSatUsing(_)));
    let optimizes = any(|command| {
        matches!(command, Command::AssertSoft(..) | Command::Minimize(..) | Command::Maximize(..))
    });
    let twisted = |spot: &Spot| matches!(spot.twist, Twist::Commute | Twist::Reverse(_));
    // Its own random seed, in the standard's spelling or in a solver's.
    let is_seed = |key: &[u8]| key.ends_with(b"seed");
    let seeded = script
        .commands
        .iter()
        .any(|command| matches!(command, Command::SetOption(key, _) if is_seed(pool.bytes(*key))));
    let possible = [
        (Move::Shuffle, asserts > 1 && !mentions_names && !strange),
        (Move::Rename, names > 0 && !mentions),
        (Move::Notation, spots.iter().any(twisted)),
        (Move::Push, asserts > 0 && !scoped && !strange && !mentions_names && !optimizes),
        (Move::Detour, asserts > 0 && !strange && !has_names && !optimizes),
        (Move::Assume, asserts > 0 && !scoped && !strange && plain_checks && !has_names && !optimizes),
        (Move::Seed, !seeded),
    ];
    possible.into_iter().filter(|(_, possible)| *possible).map(|(found, _)| found).collect()
}

/// The symbols that may be renamed: declared or defined by one plain command, and mentioned in no index.
fn renamable(prepared: &Prepared) -> FxHashMap<DeclId, u32> {
    let pool = &prepared.script.pool;
    let mut indexed: FxHashSet<DeclId> = FxHashSet::default();
    for occurrence in &prepared.printed.occurrences {
        match pool.kind(occurrence.term) {
            Kind::Op { indices, .. } => {
                indexed.extend(pool.index_list(indices).iter().filter_map(|index| match index {
                    Index::Fun(decl) => Some(*decl),
                    _ => None,
                }))
            }
            Kind::Fun { decl, qualified: true } => drop(indexed.insert(decl)),
            _ => {}
        }
    }
    let mut names = FxHashMap::default();
    for command in &prepared.script.commands {
        if let Command::DeclareFun { decl, .. } | Command::DefineFun { decl, .. } = command
            && !indexed.contains(decl)
        {
            let next = names.len() as u32;
            names.entry(*decl).or_insert(next);
        }
    }
    names
}

fn spots(prepared: &Prepared, places: &Places, names: &FxHashMap<DeclId, u32>) -> Vec<Spot> {
    let pool = &prepared.script.pool;
    let spot = |(n, occurrence): (usize, &smtlib::printer::Occurrence)| {
        let twist = match pool.kind(occurrence.term) {
            Kind::Fun { decl, .. } => names.get(&decl).map_or(Twist::None, |&name| Twist::Name(name)),
            Kind::Op { op, qualified: false, .. }
                if !places.frozen[n] && pool.args(occurrence.term).len() > 1 =>
            {
                twist(op.row().name, places)
            }
            _ => Twist::None,
        };
        Spot {
            start: occurrence.start,
            end: occurrence.end,
            head_start: occurrence.head_start,
            head_end: occurrence.head_end,
            size: 1,
            twist,
            plain: twist == Twist::None,
        }
    };
    prepared.printed.occurrences.iter().enumerate().map(spot).collect()
}

fn twist(name: &str, places: &Places) -> Twist {
    if COMMUTATIVE.contains(&name) {
        return Twist::Commute;
    }
    let other = |&(less, more): &(&'static str, &'static str)| match () {
        () if less == name => Some(more),
        () if more == name => Some(less),
        () => None,
    };
    let other = REVERSED.iter().find_map(other).filter(|other| !places.is_taken(other.as_bytes()));
    other.map_or(Twist::None, Twist::Reverse)
}

/// Per command: its terms and the name that it declares, in the order of the text.
fn pieces(prepared: &Prepared, names: &FxHashMap<DeclId, u32>) -> (Vec<u32>, Vec<Piece>) {
    let printed = &prepared.printed;
    let mut roots: Vec<(u32, u32)> = vec![];
    for (n, occurrence) in printed.occurrences.iter().enumerate() {
        if occurrence.parent == u32::MAX {
            roots.push((occurrence.command, n as u32));
        }
    }
    let (mut first, mut pieces, mut root) = (vec![], vec![], 0);
    for (n, command) in prepared.script.commands.iter().enumerate() {
        first.push(pieces.len() as u32);
        if let Command::DeclareFun { decl, .. } | Command::DefineFun { decl, .. } = command
            && let Some(&name) = names.get(decl)
            && let Some((start, end)) = declared_name(&printed.bytes, printed.commands[n] as usize)
        {
            pieces.push(Piece::Name(start as u32, end as u32, name));
        }
        while root < roots.len() && roots[root].0 as usize == n {
            pieces.push(Piece::Term(roots[root].1));
            root += 1;
        }
    }
    first.push(pieces.len() as u32);
    (first, pieces)
}

/// Where a command that begins here has the name that it declares: its second word.
fn declared_name(bytes: &[u8], command: usize) -> Option<(usize, usize)> {
    let start = command + bytes[command..].iter().position(|&byte| byte == b' ')? + 1;
    let length = match bytes[start] {
        b'|' => 2 + bytes[start + 1..].iter().position(|&byte| byte == b'|')?,
        _ => bytes[start..].iter().position(|&byte| matches!(byte, b' ' | b')'))?,
    };
    Some((start, start + length))
}
