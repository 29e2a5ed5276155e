//! Reads the class file of ET v2, the JSON beside a grammar.
//!
//! In: `{"variables": {"INT_VAR": "(declare-const {} Int)"}, "constants": {"ICONST": ["0", "1"]}}`. Out: the two maps.
//! A class is a name that the grammar uses without defining it. A variable class is replaced by as many fresh names as
//! the caller wants (that is how a two-variable grammar becomes a five-variable one), a constant class by its list.
//! Must never invent a declaration.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{GrammarError, Position};

/// Variable and constant classes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    /// Class name to declaration, with `{}` where the variable's name goes.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// Class name to its constants.
    #[serde(default)]
    pub constants: BTreeMap<String, Vec<String>>,
}

impl Classes {
    /// Reads the JSON text.
    pub fn parse(json: &str) -> Result<Classes, GrammarError> {
        let classes: Classes = serde_json::from_str(json).map_err(|error| GrammarError::Classes {
            at: Position { line: error.line().max(1), column: error.column().max(1) },
            what: error.to_string(),
        })?;
        let top = Position { line: 1, column: 1 };
        if let Some((name, _)) = classes.variables.iter().find(|(_, pattern)| !pattern.contains("{}")) {
            let what = format!("the declaration of `{name}` has no `{{}}` for the variable's name");
            return Err(GrammarError::Classes { at: top, what });
        }
        if let Some((name, _)) = classes.constants.iter().find(|(_, list)| list.is_empty()) {
            return Err(GrammarError::Classes { at: top, what: format!("`{name}` has no constants") });
        }
        Ok(classes)
    }
}
