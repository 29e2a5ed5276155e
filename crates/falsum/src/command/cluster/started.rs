//! Whether a cluster campaign was started by this user.
//!
//! The folder of a cluster campaign says what is run: a script, options of sbatch, solvers. A folder may come from a
//! stranger, and no program is started because a folder names it. So a campaign that is submitted is remembered in
//! falsum's home, by a hash of all that; a watcher goes on only with what is remembered. In: the folder, the words and the
//! script. Out: a file in `clusters/`, or yes or no.

use crate::exit::Failure;
use solver::Home;
use std::path::{Path, PathBuf};

/// What a campaign runs.
pub struct Runs<'a> {
    pub out: &'a Path,
    pub hunt: &'a [String],
    pub sbatch: &'a [String],
    pub script: &'a [u8],
}

impl Runs<'_> {
    fn digest(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for words in [self.hunt, self.sbatch] {
            hash.update(&(words.len() as u64).to_le_bytes());
            for word in words {
                hash.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
            }
        }
        hash.update(self.script).finalize().to_hex().to_string()
    }

    /// One file per campaign folder.
    fn place(&self, home: &Home) -> PathBuf {
        let out = self.out.canonicalize().unwrap_or_else(|_| self.out.to_owned());
        let name = blake3::hash(out.as_os_str().as_encoded_bytes()).to_hex();
        home.root().join("clusters").join(&name[..32])
    }

    pub fn remember(&self, home: &Home) -> Result<(), Failure> {
        let place = self.place(home);
        let wrong = |error: &std::io::Error| Failure::io(smtlib::shown::path(&place), error);
        let folder = place.parent().unwrap_or(home.root());
        std::fs::create_dir_all(folder).map_err(|error| wrong(&error))?;
        std::fs::write(&place, self.digest()).map_err(|error| wrong(&error))
    }

    pub fn are_remembered(&self, home: &Home) -> bool {
        std::fs::read_to_string(self.place(home)).is_ok_and(|known| known == self.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_is_ours_only_with_the_words_and_the_script_with_which_it_was_started() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (hunt, sbatch, other) = (words("-s z3"), words("sbatch --requeue"), words("-s ./evil"));
        let ours = Runs { out: Path::new("/c"), hunt: &hunt, sbatch: &sbatch, script: b"exec" };
        assert!(!ours.are_remembered(&home));
        ours.remember(&home).expect("written");
        assert!(ours.are_remembered(&home));
        assert!(!Runs { hunt: &other, ..ours }.are_remembered(&home));
        assert!(!Runs { sbatch: &other, ..ours }.are_remembered(&home));
        assert!(!Runs { script: b"evil", ..ours }.are_remembered(&home));
        assert!(!Runs { out: Path::new("/d"), ..ours }.are_remembered(&home));
    }
}
