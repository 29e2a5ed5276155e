//! Splits terminal text into SMT-LIB words.
//!
//! In: a terminal such as `(declare-const a Int)`. Out: its words: parentheses, atoms, string literals and quoted
//! symbols, each a slice of the input. Terminals may be fragments (`(store a`), so parentheses need not be balanced;
//! an unclosed literal extends to the end.

/// The words of a terminal, in order.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = match first {
            '(' | ')' => 1,
            '"' | '|' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')')).unwrap_or(rest.len()),
        };
        let (word, tail) = rest.split_at(length);
        rest = tail;
        Some(word)
    })
}

/// How many parentheses the text leaves open (negative: closes of its surroundings).
pub(super) fn balance(text: &str) -> isize {
    words(text).map(|word| isize::from(word == "(") - isize::from(word == ")")).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_parentheses_are_words() {
        let found: Vec<&str> = words("(str.< \" ( \" |a )| x1)").collect();
        assert_eq!(found, ["(", "str.<", "\" ( \"", "|a )|", "x1", ")"]);
    }

    #[test]
    fn balance_ignores_parentheses_inside_literals() {
        assert_eq!(balance("(assert (= \"((\""), 2);
        assert_eq!(balance("))"), -2);
    }
}
