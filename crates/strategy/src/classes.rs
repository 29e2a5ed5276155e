//! Operator classes: which operators the user allows to replace which.
//!
//! The format is that of yinyang's files, so that users can bring theirs: one class per line, names separated by
//! commas; `a,b -> c` lets `a` and `b` become `c`, but not the other way round; `:arity 2`, `:arity 2+` or `:arity
//! 1-3` limits a line to applications with that many arguments; a line that begins with `;` is a comment. A class only
//! proposes replacements: types are still checked against the theory tables, so a careless line costs candidates but
//! never makes a script ill-typed.

/// A mistake in a class file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}\nhint: a class is `bvand,bvor`, `abs -> -` or `+,- :arity 2+`")]
pub struct ClassError {
    pub line: usize,
    pub what: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    from: Vec<String>,
    to: Vec<String>,
    least: usize,
    most: usize,
}

/// The classes of a file, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    classes: Vec<Class>,
}

impl Classes {
    pub fn read(text: &str) -> Result<Classes, ClassError> {
        let mut classes = vec![];
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(';') {
                continue;
            }
            classes.push(read_class(line).map_err(|what| ClassError { line: number + 1, what })?);
        }
        Ok(Classes { classes })
    }

    /// The names that may replace an operator applied to this many arguments, each once, in file order.
    pub fn successors(&self, name: &str, arity: usize) -> Vec<&str> {
        let mut found: Vec<&str> = vec![];
        for class in &self.classes {
            let fits =
                (class.least..=class.most).contains(&arity) && class.from.iter().any(|from| from == name);
            for to in class.to.iter().filter(|to| fits && *to != name) {
                if !found.contains(&to.as_str()) {
                    found.push(to);
                }
            }
        }
        found
    }

    /// Every name, each once, in file order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = vec![];
        for name in self.classes.iter().flat_map(|class| class.from.iter().chain(&class.to)) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Every pair of names of which one may become the other, in file order.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let mut all = vec![];
        for class in &self.classes {
            for from in &class.from {
                all.extend(class.to.iter().filter(|to| *to != from).map(|to| (from.as_str(), to.as_str())));
            }
        }
        all
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }
}

fn read_class(line: &str) -> Result<Class, String> {
    let (names, attribute) = match line.split_once(":arity") {
        Some((names, arity)) => (names.trim(), Some(arity.trim())),
        None => (line, None),
    };
    if let Some(stray) = names.split_whitespace().find(|word| word.starts_with(':')) {
        return Err(format!("unknown attribute `{stray}`"));
    }
    let (least, most) = attribute.map_or(Ok((0, usize::MAX)), read_arity)?;
    let (from, to) = match names.split_once("->") {
        Some((from, to)) => (read_names(from)?, read_names(to)?),
        None => {
            let names = read_names(names)?;
            (names.clone(), names)
        }
    };
    Ok(Class { from, to, least, most })
}

fn read_names(list: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
    match names.iter().find(|name| name.is_empty() || name.contains(char::is_whitespace)) {
        Some(bad) => Err(format!("`{bad}` is not the name of an operator")),
        None => Ok(names),
    }
}

fn read_arity(text: &str) -> Result<(usize, usize), String> {
    let bad = || format!("`{text}` is not a number of arguments");
    let number = |digits: &str| digits.trim().parse::<usize>().map_err(|_| bad());
    if let Some(least) = text.strip_suffix('+') {
        return Ok((number(least)?, usize::MAX));
    }
    match text.split_once('-') {
        Some((least, "")) => Ok((number(least)?, usize::MAX)),
        Some((least, most)) => Ok((number(least)?, number(most)?)),
        None => number(text).map(|exact| (exact, exact)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_class_become_each_other() {
        let classes = Classes::read("; words\nbvnot,bvneg\n\n=, distinct\n").unwrap();
        assert_eq!(classes.len(), 2);
        assert_eq!(classes.successors("bvnot", 1), ["bvneg"]);
        assert_eq!(classes.successors("distinct", 3), ["="]);
        assert!(classes.successors("and", 2).is_empty());
    }

    #[test]
    fn an_arrow_goes_one_way() {
        let classes = Classes::read("abs -> -").unwrap();
        assert_eq!(classes.successors("abs", 1), ["-"]);
        assert!(classes.successors("-", 1).is_empty());
    }

    #[test]
    fn an_arity_limits_a_class() {
        let classes = Classes::read("+,- :arity 2+\nabs,- :arity 1").unwrap();
        assert_eq!(classes.successors("-", 2), ["+"]);
        assert_eq!(classes.successors("-", 1), ["abs"]);
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        let error = Classes::read("a,b\na,,b").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(Classes::read("a,b :arity many").is_err());
        assert!(Classes::read("a,b :what 3").is_err());
    }
}
