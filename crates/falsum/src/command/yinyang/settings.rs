//! The lists of a yinyang `Config.py`, and the parts of it that falsum uses.
//!
//! In: the first of the files of `PLACES` that exists below the current folder, then `~/.yinyang/Config.py`. Out: which words in a solver's output
//! mean a crash, a known bug, or a mutant to skip, and further solvers. The file is Python, but falsum reads only four
//! lists of strings from it: nothing in it is executed.

use super::{Stop, read};
use std::path::{Path, PathBuf};
use strategy::Settings;
use strategy::regrow::signatures::Signatures;

/// Words in the output of solvers, searched in yinyang's order: crash first, then duplicate, then ignore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    pub solvers: Vec<String>,
    pub crash: Vec<String>,
    pub duplicate: Vec<String>,
    pub ignore: Vec<String>,
}

impl Default for Lists {
    fn default() -> Lists {
        let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Lists {
            solvers: vec![],
            crash: own(&[
                "lang.AssertionError",
                "lang.Error",
                "runtime error",
                "LEAKED",
                "Leaked",
                "Segmentation fault",
                "segmentation fault",
                "segfault",
                "ASSERTION",
                "Assertion",
                "Fatal failure",
                "Internal error detected",
                "an invalid model was generated",
                "Failed to verify",
                "failed to verify",
                "ERROR: AddressSanitizer:",
                "Aborted",
            ]),
            duplicate: vec![],
            ignore: own(&["(error ", "unsupported", "unexpected char", "failed to open file", "Parse Error"]),
        }
    }
}

/// Where the file may be.
const PLACES: [&str; 5] = [
    ".yinyang/Config.py",
    ".yinyang/yinyang/config/Config.py",
    "yinyang/config/Config.py",
    "config/Config.py",
    "config/config.py",
];

/// How many of them may name further solvers: the others come with a copy of yinyang, which may be anybody's.
const TRUSTED: usize = 2;

impl Lists {
    /// The user's lists where there are any, else the usual ones.
    pub fn find() -> Result<Lists, Stop> {
        let own = std::env::home_dir().map(|home| home.join(PLACES[0]));
        let mut places = PLACES.iter().map(PathBuf::from).chain(own).enumerate();
        let Some((n, place)) = places.find(|(_, place)| place.is_file()) else { return Ok(Lists::default()) };
        let wrong = |why| Stop::usage(format!("error: {}: {why}", smtlib::shown::path(&place)));
        let lists = Lists::parse(&read(&place)?).map_err(wrong)?;
        let trusted = n < TRUSTED || n == PLACES.len();
        Ok(if trusted { lists } else { Lists { solvers: vec![], ..lists } })
    }

    /// Reads the lists of strings of a Python file and skips everything else.
    pub fn parse(text: &str) -> Result<Lists, String> {
        let mut lists = Lists::default();
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n').or((!rest.is_empty()).then_some((rest, ""))) {
            let Some((name, value)) =
                line.split_once('=').filter(|(name, _)| !name.trim_start().starts_with('#'))
            else {
                rest = after;
                continue;
            };
            let place = match name.trim() {
                "solvers" => &mut lists.solvers,
                "crash_list" => &mut lists.crash,
                "duplicate_list" => &mut lists.duplicate,
                "ignore_list" => &mut lists.ignore,
                _ => {
                    rest = after;
                    continue;
                }
            };
            let start = text.len() - rest.len() + line.len() - value.len();
            let (strings, end) = strings(&text[start..]).map_err(|why| format!("{}: {why}", name.trim()))?;
            *place = strings;
            rest = &text[start + end..];
        }
        Ok(lists)
    }
}

/// Reads `[ "a", 'b' ]` and returns where it ends.
fn strings(text: &str) -> Result<(Vec<String>, usize), String> {
    let mut found = vec![];
    let mut chars = text.char_indices().skip_while(|(_, c)| c.is_whitespace()).peekable();
    if chars.next().map(|(_, c)| c) != Some('[') {
        return Err("a list was expected".into());
    }
    while let Some((at, c)) = chars.next() {
        match c {
            ']' => return Ok((found, at + 1)),
            '#' => while chars.next_if(|&(_, c)| c != '\n').is_some() {},
            '"' | '\'' => {
                let mut string = String::new();
                loop {
                    match chars.next() {
                        Some((_, end)) if end == c => break,
                        Some((_, '\\')) => string.extend(chars.next().map(|(_, c)| c)),
                        Some((_, other)) => string.push(other),
                        None => return Err("a string is not closed".into()),
                    }
                }
                found.push(string);
            }
            c if c.is_whitespace() || c == ',' => {}
            other => return Err(format!("`{other}` is not part of a list of strings")),
        }
    }
    Err("the list is not closed".into())
}

/// The settings behind typefuzz, with the user's signatures if there are any.
pub(super) fn typefuzz(config: Option<&Path>, mutants: u32) -> Result<Settings, Stop> {
    let signatures = config.map(read).transpose()?;
    if let (Some(path), Some(text)) = (config, &signatures) {
        let wrong = |error| Stop::usage(format!("error: {}: {error}", smtlib::shown::path(path)));
        Signatures::read(text).map_err(wrong)?;
    }
    // Algorithm 5: every mutation is made to the last mutant.
    let shape = Some(strategy::regrow::ChainShape::Deep);
    Ok(Settings { steps: Some(mutants), every: Some(1), signatures, shape, ..Settings::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_a_python_file_are_read_and_the_rest_is_skipped() {
        let text = "# MIT License\nimport os\nsolvers = ['z3 -in', \"cvc5 -q\"]\n\ncrash_list = [\n    \"Oops\",  # why\n    'it\\'s'\n]\nother = 3\nduplicate_list = []\n";
        let lists = Lists::parse(text).unwrap();
        assert_eq!(lists.solvers, ["z3 -in", "cvc5 -q"]);
        assert_eq!(lists.crash, ["Oops", "it's"]);
        assert!(lists.duplicate.is_empty());
        assert_eq!(lists.ignore, Lists::default().ignore);
    }

    #[test]
    fn a_malformed_list_is_an_error_that_names_the_list() {
        assert!(Lists::parse("crash_list = 3\n").unwrap_err().contains("crash_list"));
        assert!(Lists::parse("ignore_list = [\"a").unwrap_err().contains("ignore_list"));
    }
}
