//! Which units are done, as ranges: everything up to some unit, a few beyond it, holes between.
//!
//! Units finish out of order, depending on how long the slowest takes, so the set of done units is one long range and
//! some short ones. It is stored as text (`0-1041,1043-1050`) that a person can read in the database.

use std::fmt;
use std::str::FromStr;

/// A set of numbers as sorted, disjoint, non-touching ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    /// First and last, both in the set.
    runs: Vec<(u64, u64)>,
}

impl Ranges {
    pub fn contains(&self, n: u64) -> bool {
        let after = self.runs.partition_point(|&(first, _)| first <= n);
        after > 0 && n <= self.runs[after - 1].1
    }

    /// Adds a number; returns whether it was missing.
    pub fn insert(&mut self, n: u64) -> bool {
        let after = self.runs.partition_point(|&(first, _)| first <= n);
        if after > 0 && n <= self.runs[after - 1].1 {
            return false;
        }
        let joins_before = after > 0 && self.runs[after - 1].1 + 1 == n;
        let joins_after = after < self.runs.len() && n.checked_add(1) == Some(self.runs[after].0);
        match (joins_before, joins_after) {
            (true, true) => {
                self.runs[after - 1].1 = self.runs[after].1;
                self.runs.remove(after);
            }
            (true, false) => self.runs[after - 1].1 = n,
            (false, true) => self.runs[after].0 = n,
            (false, false) => self.runs.insert(after, (n, n)),
        }
        true
    }

    /// Adds all numbers of another set.
    pub fn extend(&mut self, other: &Ranges) {
        let mut all = [self.runs.as_slice(), &other.runs].concat();
        all.sort_unstable();
        self.runs.clear();
        for (first, last) in all {
            match self.runs.last_mut() {
                Some(run) if first <= run.1.saturating_add(1) => run.1 = run.1.max(last),
                _ => self.runs.push((first, last)),
            }
        }
    }

    /// The smallest number that is not in the set.
    pub fn low(&self) -> u64 {
        match self.runs.first() {
            Some(&(0, last)) => last + 1,
            _ => 0,
        }
    }

    /// How many numbers are in the set.
    pub fn len(&self) -> u64 {
        self.runs.iter().map(|&(first, last)| last - first + 1).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (first, last)) in self.runs.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{first}-{last}")?;
        }
        Ok(())
    }
}

impl FromStr for Ranges {
    type Err = String;

    fn from_str(text: &str) -> Result<Ranges, String> {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let bad = || format!("`{part}` is not a range of units");
            let (first, last) = part.split_once('-').ok_or_else(bad)?;
            let (first, last) =
                (first.parse::<u64>().map_err(|_| bad())?, last.parse::<u64>().map_err(|_| bad())?);
            let in_order = runs.last().is_none_or(|&(_, end)| end < first);
            if last < first || !in_order {
                return Err(bad());
            }
            runs.push((first, last));
        }
        Ok(Ranges { runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_set_of_ranges_is_the_set_of_its_numbers() {
        let mut ranges = Ranges::default();
        let mut model = BTreeSet::new();
        let mut x = 7u64;
        for _ in 0..2000 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let n = (x >> 33) % 300;
            assert_eq!(ranges.insert(n), model.insert(n));
            assert_eq!(ranges.len(), model.len() as u64);
            assert_eq!(ranges.low(), (0..).find(|n| !model.contains(n)).expect("some"));
            assert_eq!(ranges.to_string().parse::<Ranges>().as_ref(), Ok(&ranges));
        }
        assert!((0..310).all(|n| ranges.contains(n) == model.contains(&n)));
        let (mut even, mut odd) = (Ranges::default(), Ranges::default());
        for &n in &model {
            if n % 2 == 0 {
                even.insert(n)
            } else {
                odd.insert(n)
            };
        }
        even.extend(&odd);
        even.extend(&odd);
        assert_eq!(even, ranges);
    }

    #[test]
    fn invalid_text_for_a_set_of_ranges_is_refused() {
        for text in ["1", "5-3", "0-4,2-9", "x-y", "0-4,4-5"] {
            assert!(text.parse::<Ranges>().is_err(), "{text}");
        }
    }
}
