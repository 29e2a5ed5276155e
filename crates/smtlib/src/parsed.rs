//! A script together with the text it was parsed from.
//!
//! Solvers get the text, judgements are about the script. Code that keeps the two in separate variables could combine
//! a text with another script; with a `Parsed` that cannot happen.

use crate::error::Error;
use crate::script::Script;
use std::sync::Arc;

/// A text that type-checks, with its script. Cheap to copy.
#[derive(Clone)]
pub struct Parsed {
    text: Arc<[u8]>,
    script: Arc<Script>,
}

impl Parsed {
    pub fn read(text: impl Into<Arc<[u8]>>) -> Result<Parsed, Error> {
        let text = text.into();
        let script = Arc::new(Script::parse(&text)?);
        Ok(Parsed { text, script })
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    pub fn script(&self) -> &Script {
        &self.script
    }

    /// A copy of the script that can be changed: reading a model adds terms to its pool.
    pub fn to_script(&self) -> Script {
        (*self.script).clone()
    }

    pub fn checks(&self) -> usize {
        self.script.checks()
    }
}

impl PartialEq for Parsed {
    fn eq(&self, other: &Parsed) -> bool {
        self.text == other.text
    }
}

impl Eq for Parsed {}

impl std::fmt::Debug for Parsed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Parsed({})", String::from_utf8_lossy(&self.text))
    }
}
