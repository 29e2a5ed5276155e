//! The tables of `strings` as they are read from `tables.txt` or from a file of the user.
//!
//! In: a text of lists, one per entry; the head of `tables.txt` explains them. Out: operations, constants, equivalences
//! and equalities, in the order of the text. A mistake is said with the entry that has it.

use super::tree::Tree;

/// The tables as they are embedded.
pub const TABLES: &str = include_str!("tables.txt");

/// A variable and its sort, as written.
pub type Variable = (String, String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// What the paper has.
    Paper,
    /// What we add.
    More,
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub family: Family,
    pub name: String,
    pub parameters: Vec<Variable>,
    pub result: String,
    pub term: Tree,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub family: Family,
    pub sort: String,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Equivalence {
    pub family: Family,
    pub name: String,
    /// Whether the left side implies the right one too.
    pub both: bool,
    /// The variables of both sides.
    pub shared: Vec<Variable>,
    /// The variables of the right side only.
    pub inner: Vec<Variable>,
    pub left: Tree,
    pub right: Tree,
}

/// Which values of its sort an equality can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    All,
    /// Those from 0 on.
    Natural,
    Some,
}

#[derive(Clone, Debug)]
pub struct Equality {
    pub family: Family,
    pub name: String,
    pub variables: Vec<Variable>,
    pub term: Tree,
    /// The first variable, or a constant.
    pub value: String,
    pub condition: Option<Tree>,
    pub reach: Reach,
}

impl Equality {
    /// Whether its value is a variable.
    pub fn is_of_variable(&self) -> bool {
        self.variables.first().is_some_and(|(name, _)| *name == self.value)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Tables {
    pub operations: Vec<Operation>,
    pub constants: Vec<Constant>,
    pub equivalences: Vec<Equivalence>,
    pub equalities: Vec<Equality>,
    /// An equivalence and an equality whose condition follows from it, or contradicts it.
    pub redundant: Vec<(String, String)>,
}

impl Tables {
    pub fn read(text: &str) -> Result<Tables, String> {
        let entries = Tree::read(text).ok_or("a parenthesis is missing in the tables of `strings`")?;
        let mut tables = Tables::default();
        for entry in &entries {
            tables.add(entry).ok_or_else(|| {
                let text: String = entry.text().chars().take(80).collect();
                format!("this entry of the tables of `strings` cannot be read: {text}\nhint: the head of the embedded tables explains the entries; `falsum strategy show strings` names the file")
            })?;
        }
        Ok(tables)
    }

    fn add(&mut self, entry: &Tree) -> Option<()> {
        let parts = entry.parts();
        let family = match parts.get(1)?.as_word()? {
            "paper" => Family::Paper,
            "more" => Family::More,
            _ => return None,
        };
        match (entry.head()?, &parts[2..]) {
            ("operation", [name, parameters, result, term]) => self.operations.push(Operation {
                family,
                name: name.as_word()?.to_owned(),
                parameters: variables(parameters)?,
                result: result.text(),
                term: term.clone(),
            }),
            ("constant", [sort, value]) => {
                self.constants.push(Constant { family, sort: sort.text(), text: value.text() });
            }
            ("equivalence", [name, direction, shared, inner, left, right]) => {
                self.equivalences.push(Equivalence {
                    family,
                    name: name.as_word()?.to_owned(),
                    both: match direction.as_word()? {
                        "both" => true,
                        "right" => false,
                        _ => return None,
                    },
                    shared: variables(shared)?,
                    inner: variables(inner)?,
                    left: left.clone(),
                    right: right.clone(),
                });
            }
            ("equality", [name, given, term, value, rest @ ..]) => {
                let reach = |tree: &Tree| match tree.as_word() {
                    Some(":some") => Some(Reach::Some),
                    Some(":natural") => Some(Reach::Natural),
                    _ => None,
                };
                self.equalities.push(Equality {
                    family,
                    name: name.as_word()?.to_owned(),
                    variables: variables(given)?,
                    term: term.clone(),
                    value: value.as_word()?.to_owned(),
                    condition: rest.iter().find(|tree| reach(tree).is_none()).cloned(),
                    reach: rest.iter().find_map(reach).unwrap_or(Reach::All),
                });
            }
            ("redundant", [equivalence, equalities @ ..]) => {
                for equality in equalities {
                    let pair = (equivalence.as_word()?.to_owned(), equality.as_word()?.to_owned());
                    self.redundant.push(pair);
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// `((x Int) …)`.
fn variables(tree: &Tree) -> Option<Vec<Variable>> {
    let variable = |tree: &Tree| match tree.parts() {
        [name, sort] => Some((name.as_word()?.to_owned(), sort.text())),
        _ => None,
    };
    match tree {
        Tree::List(list) => list.iter().map(variable).collect(),
        Tree::Word(_) => None,
    }
}

/// The sort of a constant that a formula is written with; `None` if the word is none.
pub fn sort_of_constant(word: &str) -> Option<&str> {
    match word.as_bytes() {
        [b'"', ..] => Some("String"),
        b"true" | b"false" => Some("Bool"),
        [b'0'..=b'9', ..] => Some("Int"),
        [b'(', b'-', ..] => Some("Int"),
        [b'(', b'a', b's', b' ', ..] => word.strip_suffix(')')?.strip_prefix("(as seq.empty "),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_tables_have_every_row_of_the_paper() {
        let tables = Tables::read(TABLES).unwrap();
        let paper = |family: Family| family == Family::Paper;
        assert_eq!(tables.operations.iter().filter(|row| paper(row.family)).count(), 12);
        let names: Vec<&str> =
            tables.equivalences.iter().filter(|r| paper(r.family)).map(|r| r.name.as_str()).collect();
        assert_eq!(names, (1..=12).map(|n| format!("E{n}")).collect::<Vec<_>>());
        let right: Vec<&str> = tables
            .equivalences
            .iter()
            .filter(|r| paper(r.family) && !r.both)
            .map(|r| r.name.as_str())
            .collect();
        assert_eq!(right, ["E4", "E5", "E6"]);
        let names: Vec<&str> =
            tables.equalities.iter().filter(|r| paper(r.family)).map(|r| r.name.as_str()).collect();
        let numbered = (1..=8).map(|n| format!("NC{n}"));
        let constants = (1..=40).filter(|n| *n != 31).map(|n| format!("C{n}"));
        assert_eq!(names, numbered.chain(constants).collect::<Vec<_>>());
        for row in &tables.equalities {
            assert_eq!(row.is_of_variable(), sort_of_constant(&row.value).is_none(), "{}", row.name);
        }
    }

    #[test]
    fn a_mistake_is_said_with_its_entry() {
        let why = Tables::read("(operation paper at)").unwrap_err();
        assert!(why.contains("(operation paper at)"), "{why}");
        assert!(Tables::read("(constant paper").is_err());
    }
}
