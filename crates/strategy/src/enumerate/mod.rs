//! Enumerates all formulas of a grammar, smallest first.
//!
//! Idea: bugs show on small inputs, so test *all* small inputs; when the run ends, a bounded
//! guarantee can be stated. Paper: Winterer and Su, *Validating SMT Solvers for Correctness and
//! Performance via Grammar-based Enumeration* (chapter 7 of Winterer's thesis). A context-free
//! grammar is compiled to a regular tree grammar ([`tree`]), counted by size with exact integers
//! ([`count`]), and then read in two ways that agree: by index, in time that depends on the
//! formula and not on the index ([`index`]), and as a stream ([`stream`]).
//!
//! In: a grammar as text ([`grammar`], [`classes`]), or the name of an embedded one ([`catalog`]).
//! Out: complete scripts. The expectation is "any": nothing is known about the answer. Cost: well
//! under a microsecond per streamed formula; counts for 10^1700 take below a second.
//! Must never give two different formulas for one index, whatever the machine.

pub mod cases;
pub mod catalog;
pub mod classes;
pub mod count;
pub mod error;
pub mod export;
pub mod grammar;
pub mod index;
pub mod stream;
pub mod symmetry;
pub mod tree;
mod words;

use dashu_int::UBig;

pub use classes::Classes;
pub use error::{GrammarError, Position};
pub use grammar::Grammar;
pub use index::Step;
pub use stream::Stream;
pub use symmetry::Symmetry;
pub use tree::{Layout, Tree};

use index::Counts;

/// A grammar ready to be counted, indexed, sampled and streamed.
#[derive(Debug, Clone)]
pub struct Enumeration {
    tree: Tree,
    counts: Counts,
}

/// One formula, as [`Enumeration::walk`] passes it to its callback.
#[derive(Debug, Clone, Copy)]
pub struct Formula<'s> {
    /// How many formulas came before it in this walk. Its index is the walk's first index, plus this number, plus the
    /// number of skipped formulas.
    pub number: u64,
    /// How many formulas were skipped before it because an equivalent one comes earlier.
    pub skipped: u64,
    /// Its size.
    pub size: usize,
    /// The script.
    pub text: &'s str,
}

/// The result of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Walked {
    /// Number of formulas that were passed to the callback.
    pub formulas: u64,
    /// Formulas skipped because an equivalent one comes earlier.
    pub skipped: u64,
    /// Whether the language came to its end.
    pub ended: bool,
}

impl Enumeration {
    /// Compiles a grammar.
    pub fn new(grammar: &Grammar, layout: Layout) -> Result<Enumeration, GrammarError> {
        let tree = Tree::compile(grammar, layout)?;
        let counts = Counts::upto(&tree, 16)?;
        Ok(Enumeration { tree, counts })
    }

    /// The compiled grammar.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// How many formulas have this size.
    pub fn count(&mut self, size: usize) -> Result<UBig, GrammarError> {
        self.reach_size(size)?;
        Ok(self.counts.of_size(size).unwrap_or(UBig::ZERO))
    }

    /// How many formulas have this size or a smaller one.
    pub fn count_upto(&mut self, size: usize) -> Result<UBig, GrammarError> {
        self.reach_size(size)?;
        Ok(self.counts.below(size + 1).cloned().unwrap_or(UBig::ZERO))
    }

    /// Builds the counts that `index` needs. Afterwards every smaller index needs only a descent.
    pub fn reach(&mut self, index: &UBig) -> Result<(), GrammarError> {
        if self.counts.locate(index).is_some() {
            return Ok(());
        }
        let size = index::size_for_index(&self.tree, index)?;
        self.reach_size(size)?;
        match self.counts.locate(index) {
            Some(_) => Ok(()),
            None => {
                let total = self.counts.below(size + 1).cloned().unwrap_or(UBig::ZERO);
                Err(GrammarError::PastEnd { index: index.clone(), total })
            }
        }
    }

    fn reach_size(&mut self, size: usize) -> Result<(), GrammarError> {
        if size > self.counts.largest() {
            self.counts = Counts::upto(&self.tree, size)?;
        }
        Ok(())
    }

    /// The derivation with this index.
    pub fn derivation(&mut self, index: &UBig) -> Result<Vec<Step>, GrammarError> {
        self.reach(index)?;
        match self.counts.locate(index) {
            Some((size, within)) => Ok(self.counts.derivation(&self.tree, size, within)),
            None => unreachable!("reach built the counts of this index"),
        }
    }

    /// The formula with this index.
    pub fn formula(&mut self, index: &UBig) -> Result<String, GrammarError> {
        let steps = self.derivation(index)?;
        self.text(&steps)
    }

    /// The text of a derivation.
    pub fn text(&self, steps: &[Step]) -> Result<String, GrammarError> {
        let stream = Stream::at(&self.tree, steps)?;
        Ok(stream.text().unwrap_or_default().to_owned())
    }

    /// The index of a derivation.
    pub fn rank(&mut self, steps: &[Step]) -> Result<UBig, GrammarError> {
        let size = steps.first().ok_or(GrammarError::ForeignDerivation)?.size as usize;
        self.reach_size(size)?;
        let within = self.counts.rank(&self.tree, steps)?;
        Ok(within + self.counts.below(size).cloned().unwrap_or(UBig::ZERO))
    }

    /// A uniformly chosen index among the formulas of one size; `random` yields uniform words.
    pub fn sample(&mut self, size: usize, random: &mut impl FnMut() -> u64) -> Result<UBig, GrammarError> {
        let count = self.count(size)?;
        if count == UBig::ZERO {
            return Err(GrammarError::EmptySize { size });
        }
        let first = self.counts.below(size).cloned().unwrap_or(UBig::ZERO);
        Ok(first + uniform_below(&count, random))
    }

    /// The stream from this index on.
    pub fn stream(&mut self, from: &UBig) -> Result<Stream<'_>, GrammarError> {
        if *from == UBig::ZERO {
            return Stream::new(&self.tree);
        }
        let steps = self.derivation(from)?;
        Stream::at(&self.tree, &steps)
    }

    /// Passes formulas one by one to `each`, from an index on, until `take` were passed, the language ends or `each`
    /// returns false. With `modulo`, formulas that have an earlier equivalent are skipped and counted.
    pub fn walk(
        &mut self,
        from: &UBig,
        take: u64,
        modulo: Option<&mut Symmetry>,
        each: impl FnMut(Formula<'_>) -> bool,
    ) -> Result<Walked, GrammarError> {
        walk_while(self.stream(from)?, |walked| walked.formulas < take, modulo, each)
    }
}

impl Enumeration {
    /// Like [`Enumeration::walk`], but covers `span` indices, including skipped ones. Past the end of a finite
    /// language there are no formulas.
    pub fn walk_span(
        &mut self,
        from: &UBig,
        span: u64,
        modulo: Option<&mut Symmetry>,
        mut each: impl FnMut(Formula<'_>),
    ) -> Result<Walked, GrammarError> {
        let stream = match self.stream(from) {
            Err(GrammarError::PastEnd { .. }) => return Ok(Walked { ended: true, ..Walked::default() }),
            stream => stream?,
        };
        let within = |walked: &Walked| walked.formulas + walked.skipped < span;
        walk_while(stream, within, modulo, |formula| {
            each(formula);
            true
        })
    }
}

/// Passes formulas to `each` from the stream's position on, until `goes_on` or `each` returns false or the stream
/// ends.
fn walk_while(
    mut stream: Stream<'_>,
    goes_on: impl Fn(&Walked) -> bool,
    mut modulo: Option<&mut Symmetry>,
    mut each: impl FnMut(Formula<'_>) -> bool,
) -> Result<Walked, GrammarError> {
    let mut walked = Walked::default();
    while goes_on(&walked) {
        let Some(text) = stream.text() else {
            walked.ended = true;
            break;
        };
        if modulo.as_mut().is_some_and(|symmetry| !symmetry.is_first(&stream)) {
            walked.skipped += 1;
        } else {
            let (number, skipped) = (walked.formulas, walked.skipped);
            walked.formulas += 1;
            if !each(Formula { number, skipped, size: stream.size(), text }) {
                break;
            }
        }
        stream.advance()?;
    }
    Ok(walked)
}

/// A uniform number below `bound` (above zero), by rejection.
fn uniform_below(bound: &UBig, random: &mut impl FnMut() -> u64) -> UBig {
    use dashu_int::ops::BitTest;
    let bits = (bound - UBig::ONE).bit_len();
    loop {
        let bytes: Vec<u8> = (0..bits.div_ceil(64)).flat_map(|_| random().to_le_bytes()).collect();
        let mut value = UBig::from_le_bytes(&bytes);
        value.clear_high_bits(bits);
        if value < *bound {
            return value;
        }
    }
}
