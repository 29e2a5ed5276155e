//! Release numbers: ordered by their numeric parts, compared by prefix when a user leaves parts out.
//!
//! `5.4` means the newest 5.4.x; `4.8.5..4.12` means everything from 4.8.5 up to and including every 4.12.x.
//! Package indexes add suffixes to release numbers (`4.8.0.0.post1`, `2.6.5.post24`); the catalogue removes them, and
//! they never reach this type.

use std::cmp::Ordering;
use std::fmt;

/// A release number such as `4.8.12`. Equality ignores missing trailing zeros: `5.4` = `5.4.0`.
#[derive(Clone, Debug)]
pub struct Version {
    parts: Vec<u64>,
    text: String,
}

impl Version {
    /// Reads `4`, `4.8`, `4.8.12`, and tolerates a suffix after the digits (`1.8-prerelease`).
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim();
        let mut parts = Vec::new();
        for piece in text.split('.') {
            let digits: String = piece.chars().take_while(char::is_ascii_digit).collect();
            if digits.is_empty() {
                break;
            }
            parts.push(digits.parse().ok()?);
            if digits.len() != piece.len() {
                break;
            }
        }
        let valid = !parts.is_empty() && text.starts_with(|c: char| c.is_ascii_digit());
        valid.then(|| Version { parts, text: text.to_owned() })
    }

    /// The numeric parts.
    pub fn parts(&self) -> &[u64] {
        &self.parts
    }

    /// Whether `self` is `other` or has it as a prefix: 4.12.6 is below 4.12.
    pub fn within(&self, other: &Version) -> bool {
        let n = other.parts.len();
        (0..n).all(|i| self.part(i) == other.part(i))
    }

    /// The distance to another release: first by the first part that differs, then by how much.
    pub fn distance(&self, other: &Version) -> Vec<u64> {
        let n = self.parts.len().max(other.parts.len());
        (0..n).map(|i| self.part(i).abs_diff(other.part(i))).collect()
    }

    fn part(&self, i: usize) -> u64 {
        self.parts.get(i).copied().unwrap_or(0)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        let n = self.parts.len().max(other.parts.len());
        (0..n).map(|i| self.part(i).cmp(&other.part(i))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }
}
impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Version {}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Which releases a user selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionRange {
    /// The newest one.
    Newest,
    /// One release; a shorter number means the newest below it.
    One(Version),
    /// All releases between two ends, both included, either one open.
    Range(Option<Version>, Option<Version>),
}

impl VersionRange {
    /// Reads what follows the `@`: `4.8.6`, `4.8.5..4.12`, `4.8..`, `..5.0`, `newest`.
    pub fn parse(text: &str) -> Option<VersionRange> {
        if matches!(text, "newest" | "latest") {
            return Some(VersionRange::Newest);
        }
        let strict = |t: &str| {
            let plain = t.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
            if plain { Version::parse(t) } else { None }
        };
        let Some((low, high)) = text.split_once("..") else { return strict(text).map(VersionRange::One) };
        let end = |t: &str| if t.is_empty() { Some(None) } else { strict(t).map(Some) };
        Some(VersionRange::Range(end(low)?, end(high.trim_start_matches('='))?))
    }

    /// Whether a release is selected. `Newest` accepts all: the caller takes the last.
    pub fn accepts(&self, version: &Version) -> bool {
        match self {
            VersionRange::Newest => true,
            VersionRange::One(v) => version.within(v),
            VersionRange::Range(low, high) => {
                low.as_ref().is_none_or(|l| version >= l)
                    && high.as_ref().is_none_or(|h| version <= h || version.within(h))
            }
        }
    }

    /// From an unsorted list, the selected releases, oldest first; one for `Newest` and `One`.
    pub fn choose<T>(&self, mut all: Vec<T>, version: impl Fn(&T) -> &Version) -> Vec<T> {
        all.retain(|x| self.accepts(version(x)));
        all.sort_by(|a, b| version(a).cmp(version(b)));
        match self {
            VersionRange::Range(..) => all,
            VersionRange::One(v) => match all.iter().position(|x| version(x).parts == v.parts) {
                Some(exact) => vec![all.swap_remove(exact)],
                None => all.pop().into_iter().collect(),
            },
            VersionRange::Newest => all.pop().into_iter().collect(),
        }
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionRange::Newest => f.write_str("newest"),
            VersionRange::One(v) => v.fmt(f),
            VersionRange::Range(low, high) => {
                if let Some(low) = low {
                    low.fmt(f)?;
                }
                f.write_str("..")?;
                high.as_ref().map_or(Ok(()), |h| h.fmt(f))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn releases_are_ordered_by_number_and_not_by_letters() {
        assert!(v("4.8.10") > v("4.8.9"));
        assert!(v("5.0") > v("4.16.0"));
        assert_eq!(v("5.4"), v("5.4.0"));
        assert_eq!(v("1.8-prerelease"), v("1.8"));
        assert!(Version::parse("abc").is_none());
        assert!(Version::parse(".5").is_none());
    }

    #[test]
    fn a_range_includes_everything_below_its_upper_end() {
        let range = VersionRange::parse("4.8.5..4.12").unwrap();
        for inside in ["4.8.5", "4.9.1", "4.12.0", "4.12.6"] {
            assert!(range.accepts(&v(inside)), "{inside}");
        }
        for outside in ["4.8.4", "4.13.0", "5.0"] {
            assert!(!range.accepts(&v(outside)), "{outside}");
        }
    }

    #[test]
    fn a_short_number_chooses_the_newest_below_it_and_an_exact_one_itself() {
        let all = || vec![v("5.4.0"), v("5.3.0"), v("5.3.3"), v("5.3.1")];
        let pick = |t: &str| {
            VersionRange::parse(t)
                .unwrap()
                .choose(all(), |x| x)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(pick("5.3"), ["5.3.3"]);
        assert_eq!(pick("5.3.0"), ["5.3.0"]);
        assert_eq!(pick("5"), ["5.4.0"]);
        assert_eq!(pick("5.3.1"), ["5.3.1"]);
        assert_eq!(pick("newest"), ["5.4.0"]);
        assert_eq!(pick("5.3.1.."), ["5.3.1", "5.3.3", "5.4.0"]);
        assert!(pick("6").is_empty());
    }

    #[test]
    fn an_invalid_release_after_the_at_sign_is_refused() {
        for bad in ["", "x", "4.8 6", "../4", "4;5"] {
            assert!(VersionRange::parse(bad).is_none(), "{bad:?}");
        }
    }
}
