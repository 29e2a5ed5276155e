//! The string operators that take a regular expression: replacing and finding.
//!
//! The standard's rule is leftmost first, then shortest: the match begins as early as any match can, and among those
//! it is the shortest. `str.replace_re` uses the empty match if the language contains the empty word, and so inserts
//! the replacement at the front; `str.replace_re_all` uses only non-empty matches, and continues after each.

use super::Regex;
use super::pool::{Id, NONE, RegexPool, StepLimit};
use crate::value::sequence;
use crate::value::text::{MAX_LEN, Text, TooLong};

/// Why a replacement has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplaceError {
    #[error(transparent)]
    StepLimit(#[from] StepLimit),
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

impl RegexPool {
    /// `str.replace_re`.
    pub fn replace(&mut self, s: &Text, regex: &Regex, by: &Text) -> Result<Text, ReplaceError> {
        self.begin();
        let id = self.import(regex)?;
        let codes = s.codes();
        let Some((from, to)) = self.find(id, codes, 0, 0)? else {
            return Ok(s.clone());
        };
        let parts = [&codes[..from], by.codes(), &codes[to..]];
        let out = sequence::concat(&parts, MAX_LEN).ok_or(TooLong)?;
        Ok(Text::from_codes(out))
    }

    /// `str.replace_re_all`.
    pub fn replace_all(&mut self, s: &Text, regex: &Regex, by: &Text) -> Result<Text, ReplaceError> {
        self.begin();
        let id = self.import(regex)?;
        let codes = s.codes();
        let mut out = Vec::new();
        let mut done = 0;
        while let Some((from, to)) = self.find(id, codes, done, 1)? {
            sequence::append(&mut out, &codes[done..from], MAX_LEN).ok_or(TooLong)?;
            sequence::append(&mut out, by.codes(), MAX_LEN).ok_or(TooLong)?;
            done = to;
        }
        sequence::append(&mut out, &codes[done..], MAX_LEN).ok_or(TooLong)?;
        Ok(Text::from_codes(out))
    }

    /// cvc5's `str.indexof_re`: the start of the first match at or after `from`, including the empty match; `None` is
    /// -1.
    pub fn indexof(&mut self, s: &Text, regex: &Regex, from: i64) -> Result<Option<usize>, StepLimit> {
        self.begin();
        let Some(from) = usize::try_from(from).ok().filter(|&from| from <= s.len()) else {
            return Ok(None);
        };
        let id = self.import(regex)?;
        Ok(self.find(id, s.codes(), from, 0)?.map(|(start, _)| start))
    }

    /// The leftmost match at or after `from`, and of those the shortest with at least `least`
    /// characters.
    fn find(
        &mut self,
        id: Id,
        s: &[u32],
        from: usize,
        least: usize,
    ) -> Result<Option<(usize, usize)>, StepLimit> {
        for start in from..=s.len() {
            let mut state = id;
            let mut end = start;
            loop {
                if end - start >= least && self.nullable(state) {
                    return Ok(Some((start, end)));
                }
                if end == s.len() || state == NONE {
                    break;
                }
                state = self.derive(state, s[end])?;
                end += 1;
            }
        }
        Ok(None)
    }
}
