//! Reads grammars in ET's text format.
//!
//! In: `grammar Ints;` followed by ANTLR-like rules `name : alternative | alternative ;` with
//! quoted terminals and rule names; `//` and `/* */` comments; ANTLR's `EOF` is allowed and
//! ignored. Out: a [`Grammar`] whose names are resolved. Names that no rule defines are looked up
//! in the class file of ET v2 (see [`super::classes`]). Inside quotes `\'` and `\\` are escapes;
//! every other backslash is kept, because SMT-LIB strings contain `\u{…}`.
//!
//! A repeated alternative is dropped (the language is a set, and ET's own FP grammar repeats
//! itself) and remembered in [`Grammar::repeated`]. The reader must never guess: ANTLR's `+ * ?`,
//! groups and character sets are refused with a position.

use std::collections::BTreeMap;

use super::classes::Classes;
use super::error::{GrammarError, Position};

/// A context-free grammar with resolved names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grammar {
    /// The name in the first line.
    pub name: String,
    /// All rules, in file order; class rules follow.
    pub rules: Vec<Rule>,
    /// Index of the rule `start`.
    pub start: usize,
    /// Where an alternative repeated an earlier one of its rule and was dropped.
    pub repeated: Vec<Position>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The name on the left.
    pub name: String,
    /// Where it is defined.
    pub at: Position,
    /// The alternatives on the right, each a sequence of symbols.
    pub alternatives: Vec<Vec<Symbol>>,
}

/// One symbol of an alternative.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A terminal, without its quotes.
    Text(String),
    /// A rule, by index.
    Rule(usize),
}

/// The name that is replaced by the declarations of all variables of the class file. If a grammar uses variable
/// classes and never mentions it, the declarations are put in front of `start`.
const DECLARATIONS: &str = "declarations";

impl Grammar {
    /// Reads a grammar that needs no class file.
    pub fn parse(text: &str) -> Result<Grammar, GrammarError> {
        Grammar::parse_with(text, &Classes::default(), 0)
    }

    /// Reads a grammar whose undefined names are classes; each variable class has `variables`
    /// names.
    pub fn parse_with(text: &str, classes: &Classes, variables: usize) -> Result<Grammar, GrammarError> {
        let raw = Reader::new(text)?.grammar()?;
        Resolver::new(raw, classes, variables)?.resolve()
    }

    /// Every terminal of every rule.
    pub fn terminals(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().flat_map(|rule| rule.alternatives.iter().flatten()).filter_map(|s| match s {
            Symbol::Text(text) => Some(text.as_str()),
            Symbol::Rule(_) => None,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    Quoted(String),
    Colon,
    Bar,
    Semicolon,
    End,
}

impl Token {
    fn describe(&self) -> String {
        match self {
            Token::Name(name) => format!("`{name}`"),
            Token::Quoted(text) => format!("'{text}'"),
            Token::Colon => "`:`".into(),
            Token::Bar => "`|`".into(),
            Token::Semicolon => "`;`".into(),
            Token::End => "the end of the file".into(),
        }
    }
}

enum RawSymbol {
    Text(String),
    Name(String, Position),
}

struct RawRule {
    name: String,
    at: Position,
    alternatives: Vec<(Position, Vec<RawSymbol>)>,
}

struct RawGrammar {
    name: String,
    rules: Vec<RawRule>,
}

/// Tokens first, rules second; both passes are loops, so no input can exhaust the stack.
struct Reader {
    tokens: Vec<(Token, Position)>,
    next: usize,
}

impl Reader {
    fn new(text: &str) -> Result<Reader, GrammarError> {
        let mut scan = Scan { rest: text.chars().peekable(), at: Position { line: 1, column: 1 } };
        let mut tokens = Vec::new();
        loop {
            scan.skip_blanks()?;
            let at = scan.at;
            let token = scan.token()?;
            let end = token == Token::End;
            tokens.push((token, at));
            if end {
                return Ok(Reader { tokens, next: 0 });
            }
        }
    }

    fn peek(&self) -> (&Token, Position) {
        let (token, at) = &self.tokens[self.next.min(self.tokens.len() - 1)];
        (token, *at)
    }

    fn take(&mut self) -> (Token, Position) {
        let (token, at) = self.peek();
        let taken = (token.clone(), at);
        self.next += 1;
        taken
    }

    fn expect(&mut self, wanted: &Token, hint: &'static str) -> Result<(), GrammarError> {
        let (token, at) = self.take();
        if token == *wanted {
            return Ok(());
        }
        let what = format!("expected {}, found {}", wanted.describe(), token.describe());
        Err(GrammarError::Syntax { at, what, hint })
    }

    fn name(&mut self, wanted: &str, hint: &'static str) -> Result<(String, Position), GrammarError> {
        let (token, at) = self.take();
        match token {
            Token::Name(name) => Ok((name, at)),
            other => {
                let what = format!("expected {wanted}, found {}", other.describe());
                Err(GrammarError::Syntax { at, what, hint })
            }
        }
    }

    fn grammar(mut self) -> Result<RawGrammar, GrammarError> {
        const HEAD: &str = "a grammar file begins with `grammar Name;`";
        let (keyword, at) = self.name("`grammar`", HEAD)?;
        if keyword != "grammar" {
            let what = format!("expected `grammar`, found `{keyword}`");
            return Err(GrammarError::Syntax { at, what, hint: HEAD });
        }
        let (name, _) = self.name("the grammar's name", HEAD)?;
        self.expect(&Token::Semicolon, HEAD)?;
        let mut rules = Vec::new();
        while *self.peek().0 != Token::End {
            rules.push(self.rule()?);
        }
        Ok(RawGrammar { name, rules })
    }

    fn rule(&mut self) -> Result<RawRule, GrammarError> {
        const SHAPE: &str = "a rule is `name : alternative | alternative ;`";
        let (name, defined) = self.name("a rule's name", SHAPE)?;
        self.expect(&Token::Colon, SHAPE)?;
        let mut alternatives = Vec::new();
        loop {
            let begin = self.peek().1;
            let mut symbols = Vec::new();
            let (closing, at) = loop {
                match self.take() {
                    (Token::Quoted(text), _) => symbols.push(RawSymbol::Text(text)),
                    (Token::Name(name), at) => symbols.push(RawSymbol::Name(name, at)),
                    other => break other,
                }
            };
            alternatives.push((begin, symbols));
            match closing {
                Token::Bar => {}
                Token::Semicolon => return Ok(RawRule { name, at: defined, alternatives }),
                other => {
                    let what = format!("expected `|` or `;` in rule `{name}`, found {}", other.describe());
                    let hint = "did the rule before this one lose its `;`?";
                    return Err(GrammarError::Syntax { at, what, hint });
                }
            }
        }
    }
}

struct Scan<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    at: Position,
}

impl Scan<'_> {
    fn bump(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.at = Position { line: self.at.line + 1, column: 1 };
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn skip_blanks(&mut self) -> Result<(), GrammarError> {
        while let Some(&c) = self.rest.peek() {
            if c.is_whitespace() || c == '\u{feff}' {
                self.bump();
            } else if c == '/' {
                self.skip_comment()?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn skip_comment(&mut self) -> Result<(), GrammarError> {
        let at = self.at;
        self.bump();
        match self.bump() {
            Some('/') => {
                while self.rest.peek().is_some_and(|&c| c != '\n') {
                    self.bump();
                }
                Ok(())
            }
            Some('*') => self.skip_block(at),
            _ => Err(syntax(at, "a lone `/`", "comments are `// …` or `/* … */`; quote terminals: '/'")),
        }
    }

    fn skip_block(&mut self, at: Position) -> Result<(), GrammarError> {
        let mut star = false;
        while let Some(c) = self.bump() {
            if star && c == '/' {
                return Ok(());
            }
            star = c == '*';
        }
        Err(syntax(at, "a comment that never ends", "close it with `*/`"))
    }

    fn token(&mut self) -> Result<Token, GrammarError> {
        let at = self.at;
        let Some(&c) = self.rest.peek() else { return Ok(Token::End) };
        match c {
            ':' | '|' | ';' => {
                self.bump();
                Ok(match c {
                    ':' => Token::Colon,
                    '|' => Token::Bar,
                    _ => Token::Semicolon,
                })
            }
            '\'' => self.quoted(at),
            c if c.is_alphabetic() || c == '_' => {
                let mut name = String::new();
                while let Some(&c) = self.rest.peek().filter(|c| c.is_alphanumeric() || **c == '_') {
                    name.push(c);
                    self.bump();
                }
                Ok(Token::Name(name))
            }
            '"' => Err(syntax(at, "a double quote", "terminals stand in single quotes: 'and'")),
            '+' | '*' | '?' | '(' | ')' | '[' | ']' | '~' | '.' => {
                let what = format!("`{c}` outside quotes");
                let hint = "ANTLR's operators are not part of ET's grammars: write the cases out as alternatives, or quote the character";
                Err(GrammarError::Syntax { at, what, hint })
            }
            c => {
                let what = format!("unexpected character `{}`", c.escape_default());
                Err(GrammarError::Syntax { at, what, hint: "terminals stand in single quotes" })
            }
        }
    }

    fn quoted(&mut self, at: Position) -> Result<Token, GrammarError> {
        self.bump();
        let mut text = String::new();
        while let Some(c) = self.bump() {
            match c {
                '\'' => return Ok(Token::Quoted(text)),
                '\n' => break,
                '\\' => match self.rest.peek() {
                    Some(&escaped @ ('\'' | '\\')) => {
                        text.push(escaped);
                        self.bump();
                    }
                    _ => text.push('\\'),
                },
                c => text.push(c),
            }
        }
        Err(syntax(at, "a terminal whose quote is never closed", "close it with `'` on the same line"))
    }
}

fn syntax(at: Position, what: &str, hint: &'static str) -> GrammarError {
    GrammarError::Syntax { at, what: what.to_owned(), hint }
}

/// Turns names into rule indices and adds the rules that come from classes.
struct Resolver<'c> {
    raw: RawGrammar,
    classes: &'c Classes,
    variables: usize,
    index: BTreeMap<String, usize>,
    extra: Vec<Rule>,
    repeated: Vec<Position>,
}

impl<'c> Resolver<'c> {
    fn new(raw: RawGrammar, classes: &'c Classes, variables: usize) -> Result<Self, GrammarError> {
        let mut index = BTreeMap::new();
        for (number, rule) in raw.rules.iter().enumerate() {
            if let Some(first) = index.insert(rule.name.clone(), number) {
                let first = raw.rules[first].at;
                return Err(GrammarError::Twice { at: rule.at, name: rule.name.clone(), first });
            }
        }
        Ok(Resolver { raw, classes, variables, index, extra: Vec::new(), repeated: Vec::new() })
    }

    fn resolve(mut self) -> Result<Grammar, GrammarError> {
        let declared = self.add_classes();
        let mut rules = Vec::with_capacity(self.raw.rules.len() + self.extra.len());
        for raw in std::mem::take(&mut self.raw.rules) {
            rules.push(self.rule(raw)?);
        }
        rules.append(&mut self.extra);
        let start = *self.index.get("start").ok_or(GrammarError::NoStart)?;
        if let Some(declarations) = declared {
            for alternative in &mut rules[start].alternatives {
                alternative.insert(0, Symbol::Rule(declarations));
            }
        }
        Ok(Grammar { name: self.raw.name, rules, start, repeated: self.repeated })
    }

    /// Adds one rule per class in use, and `declarations`. Returns the latter when the grammar
    /// does not place it itself.
    fn add_classes(&mut self) -> Option<usize> {
        let used = self.names_in_use();
        let mut names = Names::avoiding(&self.raw);
        let mut declarations = Vec::new();
        for (class, pattern) in &self.classes.variables {
            if !used.contains_key(class) || self.index.contains_key(class) {
                continue;
            }
            let fresh: Vec<String> = (0..self.variables).map(|_| names.fresh()).collect();
            declarations.extend(fresh.iter().map(|name| Symbol::Text(pattern.replace("{}", name))));
            self.add_atoms(class, fresh);
        }
        for (class, constants) in &self.classes.constants {
            if used.contains_key(class) && !self.index.contains_key(class) {
                self.add_atoms(class, constants.clone());
            }
        }
        let placed = used.contains_key(DECLARATIONS);
        if self.index.contains_key(DECLARATIONS) || (declarations.is_empty() && !placed) {
            return None;
        }
        let number = self.add(DECLARATIONS, vec![declarations]);
        (!placed).then_some(number)
    }

    fn names_in_use(&self) -> BTreeMap<String, ()> {
        let symbols = self.raw.rules.iter().flat_map(|r| r.alternatives.iter().flat_map(|a| &a.1));
        let names = symbols.filter_map(|s| match s {
            RawSymbol::Name(name, _) => Some((name.clone(), ())),
            RawSymbol::Text(_) => None,
        });
        names.collect()
    }

    fn add_atoms(&mut self, name: &str, texts: Vec<String>) {
        let mut alternatives: Vec<Vec<Symbol>> = Vec::with_capacity(texts.len());
        for text in texts {
            let alternative = vec![Symbol::Text(text)];
            if !alternatives.contains(&alternative) {
                alternatives.push(alternative);
            }
        }
        self.add(name, alternatives);
    }

    fn add(&mut self, name: &str, alternatives: Vec<Vec<Symbol>>) -> usize {
        let number = self.raw.rules.len() + self.extra.len();
        self.index.insert(name.to_owned(), number);
        let at = Position { line: 1, column: 1 };
        self.extra.push(Rule { name: name.to_owned(), at, alternatives });
        number
    }

    fn rule(&mut self, raw: RawRule) -> Result<Rule, GrammarError> {
        let mut alternatives: Vec<Vec<Symbol>> = Vec::with_capacity(raw.alternatives.len());
        for (at, symbols) in raw.alternatives {
            let mut resolved = Vec::with_capacity(symbols.len());
            for symbol in symbols {
                match symbol {
                    RawSymbol::Text(text) => resolved.push(Symbol::Text(text)),
                    RawSymbol::Name(name, at) => resolved.extend(self.lookup(&name, at)?),
                }
            }
            if alternatives.contains(&resolved) {
                self.repeated.push(at);
            } else {
                alternatives.push(resolved);
            }
        }
        Ok(Rule { name: raw.name, at: raw.at, alternatives })
    }

    fn lookup(&self, name: &str, at: Position) -> Result<Option<Symbol>, GrammarError> {
        if let Some(&number) = self.index.get(name) {
            return Ok(Some(Symbol::Rule(number)));
        }
        if name == "EOF" {
            return Ok(None);
        }
        let hint =
            match self.index.keys().find(|known| known.eq_ignore_ascii_case(name) || close(known, name)) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!(
                    "add a rule `{name} : … ;` or a class `{name}` in the JSON file beside the grammar"
                ),
            };
        Err(GrammarError::Undefined { at, name: name.to_owned(), hint })
    }
}

/// One character changed, added or removed.
fn close(left: &str, right: &str) -> bool {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let prefix = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let (l, r) = (&left[prefix..], &right[prefix..]);
    match l.len() as isize - r.len() as isize {
        0 => !l.is_empty() && l[1..] == r[1..],
        1 => l[1..] == *r,
        -1 => *l == r[1..],
        _ => false,
    }
}

/// Variable names `a`, `b`, … that occur nowhere in the grammar's terminals.
struct Names {
    taken: std::collections::BTreeSet<String>,
    next: usize,
}

impl Names {
    fn avoiding(raw: &RawGrammar) -> Names {
        let mut taken = std::collections::BTreeSet::new();
        for symbol in raw.rules.iter().flat_map(|r| r.alternatives.iter().flat_map(|a| &a.1)) {
            if let RawSymbol::Text(text) = symbol {
                taken.extend(super::words::words(text).map(str::to_owned));
            }
        }
        Names { taken, next: 0 }
    }

    fn fresh(&mut self) -> String {
        loop {
            let number = self.next;
            self.next += 1;
            let name = match u8::try_from(number) {
                Ok(letter @ 0..26) => char::from(b'a' + letter).to_string(),
                _ => format!("v{number}"),
            };
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}
