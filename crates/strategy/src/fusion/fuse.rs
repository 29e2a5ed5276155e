//! Writes a fused script.
//!
//! In: two parts and a `FusionPlan` that fixes every choice. Out: bytes. Nothing is parsed and no term is built: the text of
//! the seeds is copied piece by piece, with a suffix after each name of the second seed, `.0` after numerals that must
//! stay Reals, and inversions in place of the chosen occurrences. The cost is one pass over both texts. The same plan
//! gives the same bytes. It must never make a choice itself.

use super::expr::{Bindings, Names};
use super::functions::Function;
use super::logic;
use super::part::{Part, Piece, What};
use super::sorts::write_suffixed;
use smtlib::logic::Features;
use std::sync::Arc;

/// Everything that determines a fused script.
pub struct FusionPlan {
    pub first: Arc<Part>,
    pub second: Arc<Part>,
    pub connective: Connective,
    pub triplets: Vec<Triplet>,
    pub constraints: Constraints,
}

/// How the formulas are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    And,
    Or,
}

/// Which of z = f(x, y), x = r_x and y = r_y are asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraints {
    None,
    /// Only z = f(x, y).
    Definition,
    All,
}

/// A pair of variables to fuse.
pub struct Triplet {
    pub function: Arc<Function>,
    /// The variable of the first seed and of the second.
    pub variables: [usize; 2],
    /// The first seed's variable has role y and the second's has role x.
    pub swapped: bool,
    pub constants: Vec<Vec<u8>>,
    /// Which occurrences are replaced, as mark numbers of the first and of the second part.
    pub replaced: [Vec<u32>; 2],
}

impl Triplet {
    /// The role of the variable of a seed.
    fn role(&self, seed: usize) -> usize {
        seed ^ usize::from(self.swapped)
    }
}

/// The texts of a triplet.
struct Ready<'p> {
    triplet: &'p Triplet,
    bindings: Bindings<'p>,
    /// Names of x, y, z.
    names: [Vec<u8>; 3],
    local: Vec<u8>,
    /// The inversion for the first seed's variable and for the second's.
    inversions: [Vec<u8>; 2],
}

impl FusionPlan {
    /// The number that makes names unique: larger than any number that the seeds use.
    fn number(&self) -> u32 {
        self.first.largest.max(self.second.largest).max(1) + 1
    }

    fn part(&self, seed: usize) -> &Part {
        if seed == 0 { &self.first } else { &self.second }
    }

    /// The logic of the fused script.
    pub fn logic(&self) -> &str {
        let mut extra = (!self.triplets.is_empty()).then(Features::default);
        for triplet in &self.triplets {
            extra = extra.map(|extra| extra.with(triplet.function.features()));
        }
        logic::join(self.first.logic.as_deref(), self.second.logic.as_deref(), extra)
    }

    /// The fused script; `None` if a triplet's function does not fit its variables.
    pub fn write(&self) -> Option<Vec<u8>> {
        let suffix = format!("${}", self.number()).into_bytes();
        let ready: Vec<Ready<'_>> =
            (0..self.triplets.len()).map(|n| self.ready(n, &suffix)).collect::<Option<_>>()?;
        let logic = self.logic();
        let size = self.first.prepared.printed.bytes.len() + self.second.prepared.printed.bytes.len();
        let mut writer = Writer {
            plan: self,
            ready: &ready,
            suffix: &suffix,
            decimals: !Features::of_logic(Some(logic)).numerals_are_real(),
            changes: [0, 1].map(|seed| self.changes(seed)),
            out: Vec::with_capacity(size * 2 + 512),
        };
        writer.text(b"(set-logic ");
        writer.text(logic.as_bytes());
        writer.text(b")\n");
        writer.declarations();
        match self.connective {
            Connective::And => writer.conjunction(),
            Connective::Or => writer.disjunction(),
        }
        writer.constraints();
        writer.text(b"(check-sat)\n");
        Some(writer.out)
    }

    fn changes(&self, seed: usize) -> Vec<(u32, usize)> {
        let mut changes: Vec<(u32, usize)> = vec![];
        for (n, triplet) in self.triplets.iter().enumerate() {
            changes.extend(triplet.replaced[seed].iter().map(|&mark| (mark, n)));
        }
        changes.sort_unstable();
        changes.dedup_by_key(|change| change.0);
        changes
    }

    fn ready(&self, n: usize, suffix: &[u8]) -> Option<Ready<'_>> {
        let triplet = &self.triplets[n];
        let variable = |seed: usize| &self.part(seed).variables[triplet.variables[seed]];
        let (x, y) = (triplet.role(0), triplet.role(1));
        let bindings = triplet.function.matches(&variable(x).shape, &variable(y).shape)?;
        let mut local = suffix.to_vec();
        local.extend_from_slice(format!("${}", n + 1).as_bytes());
        let mut names = [vec![], vec![], b"z".to_vec()];
        names[2].extend_from_slice(&local);
        let suffixes: [&[u8]; 2] = [b"", suffix];
        for (role, seed) in [(0, x), (1, y)] {
            write_suffixed(&mut names[role], &variable(seed).name, suffixes[seed]);
        }
        let mut ready = Ready { triplet, bindings, names, local, inversions: [vec![], vec![]] };
        for seed in 0..2 {
            let mut text = vec![];
            triplet.function.term_of(triplet.role(seed)).write(&mut text, &ready.names(suffix));
            ready.inversions[seed] = text;
        }
        Some(ready)
    }
}

impl Ready<'_> {
    fn names<'s>(&'s self, suffix: &'s [u8]) -> Names<'s> {
        Names {
            roles: [&self.names[0], &self.names[1], &self.names[2]],
            constants: &self.triplet.constants,
            local: &self.local,
            bindings: &self.bindings,
            suffixes: if self.triplet.swapped { [suffix, b""] } else { [b"", suffix] },
        }
    }
}

struct Writer<'p> {
    plan: &'p FusionPlan,
    ready: &'p [Ready<'p>],
    suffix: &'p [u8],
    /// Numerals that are Reals must be written as decimals.
    decimals: bool,
    /// Which triplet replaces which mark, per seed, in order of marks.
    changes: [Vec<(u32, usize)>; 2],
    out: Vec<u8>,
}

impl<'p> Writer<'p> {
    fn text(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

    fn declarations(&mut self) {
        for seed in 0..2 {
            for piece in &self.plan.part(seed).declarations {
                self.piece(seed, piece);
                self.text(b"\n");
            }
        }
        for ready in self.ready {
            ready.triplet.function.write_declarations(&mut self.out, &ready.names(self.suffix));
        }
    }

    fn conjunction(&mut self) {
        for seed in 0..2 {
            for piece in &self.plan.part(seed).assertions {
                self.text(b"(assert ");
                self.piece(seed, piece);
                self.text(b")\n");
            }
        }
    }

    fn disjunction(&mut self) {
        self.text(b"(assert (or ");
        self.all_of(0);
        self.text(b"\n");
        self.all_of(1);
        self.text(b"))\n");
    }

    /// The conjunction of a seed's assertions.
    fn all_of(&mut self, seed: usize) {
        match self.plan.part(seed).assertions.as_slice() {
            [] => self.text(b"true"),
            [only] => self.piece(seed, only),
            many => {
                self.text(b"(and");
                for piece in many {
                    self.text(b"\n");
                    self.piece(seed, piece);
                }
                self.text(b")");
            }
        }
    }

    fn constraints(&mut self) {
        let roles: &[usize] = match self.plan.constraints {
            Constraints::None => &[],
            Constraints::Definition => &[2],
            Constraints::All => &[2, 0, 1],
        };
        for ready in self.ready {
            for &role in roles {
                let names = ready.names(self.suffix);
                ready.triplet.function.write_constraint(&mut self.out, &names, role);
            }
        }
    }

    /// Copies a piece of a seed's text with its changes.
    fn piece(&mut self, seed: usize, piece: &Piece) {
        let part = self.plan.part(seed);
        let bytes = &part.prepared.printed.bytes;
        let mut at = piece.bytes.start;
        // The end of the last occurrence that was replaced. Marks inside it are ignored.
        let mut void = 0;
        for n in piece.marks.clone() {
            let mark = part.marks[n];
            if mark.start <= void {
                continue;
            }
            let (insert, next): (&[u8], u32) = match mark.what {
                What::Name if seed == 0 => continue,
                What::Numeral if !self.decimals => continue,
                What::Name => (self.suffix, mark.start),
                What::Numeral => (b".0", mark.start),
                What::Occurrence(_) => match self.inversion(seed, n as u32) {
                    None => continue,
                    Some(inversion) => {
                        void = mark.end;
                        (inversion, mark.end)
                    }
                },
            };
            self.out.extend_from_slice(&bytes[at..mark.start as usize]);
            self.out.extend_from_slice(insert);
            at = next as usize;
        }
        self.out.extend_from_slice(&bytes[at..piece.bytes.end]);
    }

    /// The inversion that replaces an occurrence, if it is replaced.
    fn inversion(&self, seed: usize, mark: u32) -> Option<&'p [u8]> {
        let found = self.changes[seed].binary_search_by_key(&mark, |&(mark, _)| mark).ok()?;
        let (_, triplet) = self.changes[seed][found];
        Some(&self.ready[triplet].inversions[seed])
    }
}
