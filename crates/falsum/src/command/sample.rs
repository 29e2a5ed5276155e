//! `falsum enumerate --sample`: random formulas of one size, each with the same probability.
//!
//! The smallest formulas of a grammar are all alike, and those of a larger size too many to try. A uniform sample says how
//! often a solver is wrong on formulas of that size (chapter 7 of Winterer's thesis compares the two). In: a grammar, a
//! size, a number, a key. Out: files named by their index, or lines on stdout; the same key draws the same formulas.
#![allow(clippy::print_stderr, reason = "a command prints to the user")]

use dashu_int::UBig;
use std::io::{self, Write};
use std::path::Path;
use strategy::enumerate::{Enumeration, Grammar, GrammarError, Layout};
use strategy::{CampaignKey, Rng};

/// What was drawn, in the order of drawing.
pub struct Drawn {
    size: usize,
    formulas: Vec<(UBig, String)>,
}

pub fn draw(
    grammar: &Grammar,
    size: usize,
    take: u64,
    key: &str,
    in_lines: bool,
) -> Result<Drawn, GrammarError> {
    let layout = if in_lines { Layout::OneLine } else { Layout::Lines };
    let mut enumeration = Enumeration::new(grammar, layout)?;
    let mut rng = Rng::of(&CampaignKey(key.to_owned()), "sample", size as u64);
    let one = |_| {
        let index = enumeration.sample(size, &mut || rng.bits())?;
        Ok((index.clone(), enumeration.formula(&index)?))
    };
    Ok(Drawn { size, formulas: (0..take).map(one).collect::<Result<_, GrammarError>>()? })
}

impl Drawn {
    /// Writes them to a folder, or to stdout for `-`.
    pub fn write(&self, grammar: &Grammar, out: &Path) -> io::Result<()> {
        if out == Path::new("-") {
            let mut lines = io::BufWriter::new(io::stdout().lock());
            self.formulas.iter().try_for_each(|(_, text)| writeln!(lines, "{text}"))?;
            lines.flush()?;
        } else {
            std::fs::create_dir_all(out)?;
            for (n, (index, text)) in self.formulas.iter().enumerate() {
                let index = index.to_string();
                // A file name holds at most 255 bytes.
                let name = if index.len() <= 200 { index.clone() } else { format!("sample-{n}") };
                let script =
                    format!("; grammar {}, index {index}, size {}\n{text}\n", grammar.name, self.size);
                std::fs::write(out.join(format!("{name}.smt2")), script)?;
            }
        }
        let mut indices: Vec<&UBig> = self.formulas.iter().map(|(index, _)| index).collect();
        indices.sort();
        indices.dedup();
        let (drawn, distinct) = (self.formulas.len(), indices.len());
        eprintln!("{}: {drawn} random formulas of size {}, {distinct} distinct", grammar.name, self.size);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_draws_the_same_formulas_of_the_size_again_and_another_key_others() {
        let grammar = strategy::enumerate::catalog::find("Ints").unwrap().grammar(None).unwrap();
        let texts = |key: &str| -> Vec<String> {
            let drawn = draw(&grammar, 6, 40, key, true).unwrap();
            drawn.formulas.into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(texts("a"), texts("a"));
        assert_ne!(texts("a"), texts("b"));
        let mut enumeration = Enumeration::new(&grammar, Layout::OneLine).unwrap();
        let (below, upto) = (enumeration.count_upto(5).unwrap(), enumeration.count_upto(6).unwrap());
        let drawn = draw(&grammar, 6, 40, "a", true).unwrap();
        assert!(drawn.formulas.iter().all(|(index, _)| *index >= below && *index < upto));
        assert!(draw(&grammar, 0, 1, "a", true).is_err(), "there is no formula of size 0");
    }
}
