//! Enumeration against an independent brute force: every embedded grammar, small sizes.
//!
//! The brute force below does not use tree grammars, counts or odometers: it expands the parsed grammar into sets of
//! texts by size, directly from the definition.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::UBig;
use strategy::enumerate::catalog::{EMBEDDED, Embedded, find};
use strategy::enumerate::grammar::Symbol;
use strategy::enumerate::{Classes, Enumeration, Grammar, GrammarError, Layout, Stream, Symmetry};

/// All texts of a rule at a size, without blanks between symbols beyond one.
struct BruteForce<'g> {
    grammar: &'g Grammar,
    known: BTreeMap<(usize, usize), Vec<String>>,
}

impl BruteForce<'_> {
    fn rule(&mut self, rule: usize, size: usize) -> Vec<String> {
        if let Some(found) = self.known.get(&(rule, size)) {
            return found.clone();
        }
        let mut all = Vec::new();
        for alternative in &self.grammar.rules[rule].alternatives {
            let pays = alternative.iter().any(|s| matches!(s, Symbol::Rule(_)));
            if let Some(budget) = size.checked_sub(usize::from(pays)) {
                all.extend(self.sequence(alternative, budget));
            }
        }
        self.known.insert((rule, size), all.clone());
        all
    }

    fn sequence(&mut self, symbols: &[Symbol], size: usize) -> Vec<String> {
        let Some((first, rest)) = symbols.split_first() else {
            return if size == 0 { vec![String::new()] } else { Vec::new() };
        };
        let mut all = Vec::new();
        for spent in 0..=size {
            let heads = match first {
                Symbol::Text(text) if spent == 0 => vec![text.clone()],
                Symbol::Text(_) => Vec::new(),
                Symbol::Rule(rule) => self.rule(*rule, spent),
            };
            if heads.is_empty() {
                continue;
            }
            let tails = self.sequence(rest, size - spent);
            for head in &heads {
                all.extend(tails.iter().map(|tail| format!("{head} {tail}")));
            }
        }
        all
    }
}

/// Words of a text, so that layouts compare equal.
fn words(text: &str) -> String {
    text.replace('(', " ( ").replace(')', " ) ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn open(embedded: &Embedded) -> (Grammar, Enumeration) {
    let grammar = embedded.grammar(None).unwrap();
    let enumeration = Enumeration::new(&grammar, Layout::OneLine).unwrap();
    (grammar, enumeration)
}

#[test]
fn counts_and_formulas_equal_a_brute_force_for_every_grammar() {
    for embedded in EMBEDDED {
        let (grammar, mut enumeration) = open(embedded);
        let mut brute = BruteForce { grammar: &grammar, known: BTreeMap::new() };
        let mut stream_text = Vec::new();
        let mut total = UBig::ZERO;
        for size in 0.. {
            let count = enumeration.count(size).unwrap();
            if count > UBig::from(4_000u32) {
                break;
            }
            let all = brute.rule(grammar.start, size);
            assert_eq!(count, UBig::from(all.len()), "{} at size {size}", embedded.name);
            let expected: BTreeSet<String> = all.iter().map(|text| words(text)).collect();
            assert_eq!(expected.len(), all.len(), "{} is ambiguous at size {size}", embedded.name);
            stream_text.clear();
            let number = u64::try_from(all.len()).unwrap();
            if number > 0 {
                let take = |f: strategy::enumerate::Formula<'_>| {
                    assert_eq!(f.size, size);
                    stream_text.push(words(f.text));
                    true
                };
                enumeration.walk(&total, number, None, take).unwrap();
            }
            let found: BTreeSet<String> = stream_text.iter().cloned().collect();
            assert_eq!(found, expected, "{} at size {size}", embedded.name);
            total += count;
            assert_eq!(enumeration.count_upto(size).unwrap(), total);
        }
        assert!(total > UBig::from(100u8), "{} was hardly tested", embedded.name);
    }
}

#[test]
fn the_first_formulas_have_no_duplicates_and_sizes_never_fall() {
    for embedded in EMBEDDED {
        let (_, mut enumeration) = open(embedded);
        let (mut seen, mut last) = (BTreeSet::new(), 0);
        let check = |f: strategy::enumerate::Formula<'_>| {
            assert!(f.size >= last);
            last = f.size;
            assert!(f.text.contains("(check-sat)"));
            assert!(seen.insert(f.text.to_owned()), "{}: {}", embedded.name, f.text);
            true
        };
        assert_eq!(enumeration.walk(&UBig::ZERO, 20_000, None, check).unwrap().formulas, 20_000);
    }
}

#[test]
fn random_access_agrees_with_streaming_and_rank_inverts_it() {
    for embedded in EMBEDDED {
        let (_, mut enumeration) = open(embedded);
        let mut texts = Vec::new();
        let collect = |f: strategy::enumerate::Formula<'_>| {
            texts.push(f.text.to_owned());
            true
        };
        enumeration.walk(&UBig::ZERO, 6_000, None, collect).unwrap();
        for (number, text) in texts.iter().enumerate().step_by(37) {
            let index = UBig::from(number);
            let steps = enumeration.derivation(&index).unwrap();
            assert_eq!(enumeration.text(&steps).unwrap(), *text, "{} {number}", embedded.name);
            assert_eq!(enumeration.rank(&steps).unwrap(), index, "{} {number}", embedded.name);
        }
    }
}

#[test]
fn rank_inverts_large_indices_and_the_stream_continues_from_them() {
    for embedded in EMBEDDED {
        let (_, mut enumeration) = open(embedded);
        for exponent in [9, 20, 50] {
            let index = UBig::from(10u8).pow(exponent) + UBig::from(7u8);
            let steps = enumeration.derivation(&index).unwrap();
            assert_eq!(enumeration.rank(&steps).unwrap(), index, "{}", embedded.name);
            let mut stream = Stream::at(enumeration.tree(), &steps).unwrap();
            for _ in 0..50 {
                stream.advance().unwrap();
            }
            let later = stream.derivation();
            let text = stream.text().unwrap().to_owned();
            assert_eq!(enumeration.rank(&later).unwrap(), &index + UBig::from(50u8));
            assert_eq!(enumeration.formula(&(index + UBig::from(50u8))).unwrap(), text);
        }
    }
}

#[test]
fn formula_ten_to_the_1700_of_a_five_variable_grammar_is_found() {
    let grammar = find("Core").unwrap().grammar(Some(5)).unwrap();
    let mut enumeration = Enumeration::new(&grammar, Layout::Lines).unwrap();
    let index = UBig::from(10u8).pow(1700);
    let steps = enumeration.derivation(&index).unwrap();
    assert_eq!(enumeration.rank(&steps).unwrap(), index);
    let text = enumeration.text(&steps).unwrap();
    assert!(text.len() > 4096, "{} bytes", text.len());
    let depth = |c: char| text.chars().filter(|found| *found == c).count();
    assert_eq!(depth('('), depth(')'));
}

#[test]
fn sizes_are_those_of_the_thesis() {
    let (_, mut enumeration) = open(find("Core").unwrap());
    let first = enumeration.derivation(&UBig::ZERO).unwrap();
    assert_eq!(first[0].size, 4);
    let text = enumeration.text(&first).unwrap();
    assert_eq!(text, "(declare-const a Bool) (declare-const b Bool) (assert true) (check-sat)");
    assert_eq!(enumeration.count(4).unwrap(), UBig::from(4u8));
    assert_eq!(enumeration.count(5).unwrap(), UBig::from(4u8));
    assert!(enumeration.formula(&UBig::from(4u8)).unwrap().contains("(assert (not true))"));
}

#[test]
fn samples_of_a_size_have_that_size_and_differ() {
    let (_, mut enumeration) = open(find("Ints").unwrap());
    let mut state = 7u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ (state >> 29)
    };
    let mut seen = BTreeSet::new();
    for _ in 0..50 {
        let index = enumeration.sample(30, &mut random).unwrap();
        assert_eq!(enumeration.derivation(&index).unwrap()[0].size, 30);
        seen.insert(index);
    }
    assert_eq!(seen.len(), 50);
    assert_eq!(enumeration.sample(2, &mut random), Err(GrammarError::EmptySize { size: 2 }));
}

#[test]
fn samples_of_a_small_size_reach_every_formula_about_equally() {
    let (_, mut enumeration) = open(find("Core").unwrap());
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 31)
    };
    let mut hits: BTreeMap<UBig, u32> = BTreeMap::new();
    for _ in 0..8_400 {
        *hits.entry(enumeration.sample(6, &mut random).unwrap()).or_default() += 1;
    }
    assert_eq!(UBig::from(hits.len()), enumeration.count(6).unwrap());
    assert!(hits.values().all(|&n| (50..=160).contains(&n)), "{hits:?}");
}

/// The equivalents of a term under exchanging arguments, and of a script under renaming, by rewriting texts,
/// independently of derivations.
mod kinds {
    use std::collections::BTreeSet;

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Term {
        Word(String),
        List(Vec<Term>),
    }

    pub fn parse(text: &str) -> Term {
        let mut stack = vec![Vec::new()];
        for word in super::words(text).split(' ') {
            match word {
                "(" => stack.push(Vec::new()),
                ")" => {
                    let list = stack.pop().unwrap();
                    stack.last_mut().unwrap().push(Term::List(list));
                }
                word => stack.last_mut().unwrap().push(Term::Word(word.to_owned())),
            }
        }
        Term::List(stack.pop().unwrap())
    }

    /// The smallest term over all orders of commutative arguments.
    fn sorted(term: &Term, commutative: &[&str]) -> Term {
        match term {
            Term::Word(_) => term.clone(),
            Term::List(items) => {
                let mut items: Vec<Term> = items.iter().map(|item| sorted(item, commutative)).collect();
                if let Some(Term::Word(head)) = items.first() {
                    let from = if head.starts_with("fp.add") || head.starts_with("fp.mul") { 2 } else { 1 };
                    if commutative.contains(&head.as_str()) && items.len() == from + 2 {
                        items[from..].sort();
                    }
                }
                Term::List(items)
            }
        }
    }

    fn renamed(term: &Term, from: &[String], to: &[String]) -> Term {
        match term {
            Term::Word(word) => {
                let new = from.iter().position(|name| name == word).map_or(word, |place| &to[place]);
                Term::Word(new.clone())
            }
            Term::List(items) => Term::List(items.iter().map(|item| renamed(item, from, to)).collect()),
        }
    }

    /// A name for the kind of a script: the smallest of all its renamed, sorted forms.
    pub fn kind(text: &str, classes: &[Vec<String>], commutative: &[&str]) -> Term {
        let mut forms = BTreeSet::from([parse(text)]);
        for class in classes {
            let mut next = BTreeSet::new();
            for names in permutations(class) {
                next.extend(forms.iter().map(|form| renamed(form, class, &names)));
            }
            forms = next;
        }
        // All declarations stay: their order does not affect the kind.
        let body = |term: Term| match term {
            Term::List(items) => Term::List(items.into_iter().filter(|item| !is_declaration(item)).collect()),
            word => word,
        };
        forms.into_iter().map(|form| sorted(&body(form), commutative)).min().unwrap()
    }

    fn is_declaration(term: &Term) -> bool {
        matches!(term, Term::List(items) if items.first() == Some(&Term::Word("declare-const".into())))
    }

    fn permutations(names: &[String]) -> Vec<Vec<String>> {
        if names.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for place in 0..names.len() {
            let mut rest = names.to_vec();
            let first = rest.remove(place);
            all.extend(permutations(&rest).into_iter().map(|mut tail| {
                tail.insert(0, first.clone());
                tail
            }));
        }
        all
    }
}

#[test]
fn modulo_symmetry_keeps_exactly_the_first_formula_of_each_kind() {
    let commutative: Vec<&str> = include_str!("../grammars/commutative.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    for (embedded, variables) in EMBEDDED.iter().flat_map(|e| [(e, 2), (e, 3)]) {
        let grammar = embedded.grammar(Some(variables)).unwrap();
        let mut enumeration = Enumeration::new(&grammar, Layout::OneLine).unwrap();
        let mut symmetry = Symmetry::of(&grammar, enumeration.tree());
        let json = Classes::parse(embedded.classes).unwrap();
        let classes: Vec<Vec<String>> =
            json.variables.keys().map(|class| names_of(&grammar, class)).collect();
        assert_eq!(symmetry.recognised().0, classes.len(), "{}", embedded.name);
        if classes.len() * variables > 6 && variables > 2 {
            continue; // the brute force would try thousands of renamings per formula
        }
        let mut expected: Vec<String> = Vec::new();
        let mut kinds = BTreeSet::new();
        let all = |f: strategy::enumerate::Formula<'_>| {
            if kinds.insert(kinds::kind(f.text, &classes, &commutative)) {
                expected.push(f.text.to_owned());
            }
            true
        };
        let take = if classes.len() > 3 { 400 } else { 2_000 };
        enumeration.walk(&UBig::ZERO, take, None, all).unwrap();
        let mut kept = Vec::new();
        let some = |f: strategy::enumerate::Formula<'_>| {
            kept.push(f.text.to_owned());
            f.number + f.skipped + 1 < take
        };
        let walked = enumeration.walk(&UBig::ZERO, take, Some(&mut symmetry), some).unwrap();
        assert!(kept.len() <= expected.len() + 1, "only the formula at which the walk stopped may be extra");
        kept.truncate(expected.len());
        assert_eq!(kept, expected, "{} with {variables} variables", embedded.name);
        assert!(walked.skipped > 0, "{}", embedded.name);
    }
}

fn names_of(grammar: &Grammar, class: &str) -> Vec<String> {
    let rule = grammar.rules.iter().find(|rule| rule.name == class).unwrap();
    let words = rule.alternatives.iter().map(|a| match &a[0] {
        Symbol::Text(text) => text.clone(),
        Symbol::Rule(_) => panic!("a class lists words"),
    });
    words.collect()
}

#[test]
fn variables_of_different_kinds_are_not_interchanged() {
    let differ = "grammar G; var: 'a' | 'b'; t: var | '(not' t ')'; \
                  start: '(declare-const a Bool) (declare-const b Int)' '(assert' t ')' '(check-sat)';";
    let used_elsewhere = "grammar G; var: 'a' | 'b'; t: var | '(and a' t ')'; \
                  start: '(declare-const a Bool) (declare-const b Bool)' '(assert' t ')' '(check-sat)';";
    let maybe_declared = "grammar G; var: 'a' | 'b'; t: var | '(not' t ')'; d: '(declare-const a Bool)' | '(declare-const b Bool)'; \
                  start: d '(assert' t ')' '(check-sat)';";
    let alike = "grammar G; var: 'a' | 'b'; t: var | '(not' t ')'; \
                  start: '(declare-const a Bool) (declare-fun b () Bool)' '(assert' t ')' '(check-sat)';";
    for (text, classes) in [(differ, 0), (used_elsewhere, 0), (maybe_declared, 0), (alike, 1)] {
        let grammar = Grammar::parse(text).unwrap();
        let enumeration = Enumeration::new(&grammar, Layout::OneLine).unwrap();
        assert_eq!(Symmetry::of(&grammar, enumeration.tree()).recognised().0, classes, "{text}");
    }
}

#[test]
fn a_finite_language_ends_and_reports_its_number_of_formulas() {
    let grammar =
        Grammar::parse("grammar F; bit: '0' | '1'; start: '(=' bit bit ')' | '(check-sat)';").unwrap();
    let mut enumeration = Enumeration::new(&grammar, Layout::OneLine).unwrap();
    let mut texts = Vec::new();
    let walked = enumeration.walk(&UBig::ZERO, 100, None, |f| {
        texts.push(f.text.to_owned());
        true
    });
    assert!(walked.unwrap().ended);
    assert_eq!(texts, ["(check-sat)", "(= 0 0)", "(= 0 1)", "(= 1 0)", "(= 1 1)"]);
    let error = enumeration.formula(&UBig::from(5u8)).unwrap_err();
    assert_eq!(error, GrammarError::PastEnd { index: UBig::from(5u8), total: UBig::from(5u8) });
}

#[test]
fn an_index_that_needs_too_large_a_formula_is_refused() {
    let grammar = Grammar::parse("grammar L; start: 'x' | 'x' start;").unwrap();
    let mut enumeration = Enumeration::new(&grammar, Layout::OneLine).unwrap();
    assert_eq!(enumeration.formula(&UBig::from(3u8)).unwrap(), "x x x x");
    let error = enumeration.formula(&UBig::from(10u8).pow(30)).unwrap_err();
    assert!(matches!(error, GrammarError::TooLarge { .. }));
}

#[test]
fn grammars_of_the_original_tool_are_read_as_they_are() {
    let text = "grammar Small;\n\nParOpen\n    : '('\n    ;\n\nParClose\n    : ')'\n    ;\nvar_name_a : 'a' ;\nvar_name_b : 'b' ;\n\
                op_and\n    :'and'\n    ;\nbool_term : var_name_a | var_name_b | ParOpen op_and bool_term bool_term ParClose ;\n\
                cmd : 'assert' ;\nassertStatement : ParOpen cmd bool_term ParClose ;\nstart : assertStatement EOF ;\n";
    let grammar = Grammar::parse(text).unwrap();
    let mut enumeration = Enumeration::new(&grammar, Layout::Lines).unwrap();
    assert_eq!(enumeration.formula(&UBig::from(3u8)).unwrap(), "(assert (and a b))");
}

#[test]
fn a_class_file_gives_names_constants_and_declarations() {
    let classes = Classes::parse(
        r#"{"variables":{"INT_VAR":"(declare-const {} Int)"},"constants":{"ICONST":["0","1"]}}"#,
    );
    let text = "grammar I; t: INT_VAR | ICONST; start: '(assert (= a' t t '))' '(check-sat)';";
    let grammar = Grammar::parse_with(text, &classes.unwrap(), 2).unwrap();
    let mut enumeration = Enumeration::new(&grammar, Layout::Lines).unwrap();
    let first = enumeration.formula(&UBig::ZERO).unwrap();
    assert_eq!(first, "(declare-const b Int)\n(declare-const c Int)\n(assert (= a b b))\n(check-sat)");
    assert_eq!(enumeration.count(3).unwrap(), UBig::from(16u8));
}

#[test]
fn malformed_grammars_are_refused_with_a_position_and_a_hint() {
    let cases = [
        ("rules Ints;", "1:1: expected `grammar`, found `rules`"),
        ("grammar G\nstart : 'x' ;", "2:1: expected `;`, found `start`"),
        ("grammar G;\nstart : 'x' ;\na 'y' ;", "3:3: expected `:`, found 'y'"),
        ("grammar G;\nstart : 'x' \nnext : 'y' ;", "3:6: expected `|` or `;` in rule `start`, found `:`"),
        ("grammar G;\nstart : 'x", "2:9: a terminal whose quote is never closed"),
        ("grammar G;\nstart : 'x' start+ ;", "2:18: `+` outside quotes"),
        ("grammar G;\nstart : \"x\" ;", "2:9: a double quote"),
        ("grammar G; /* oh", "1:12: a comment that never ends"),
        (
            "grammar G;\nstart : 'x' termm ;\nterm : 'y' ;",
            "2:13: nothing defines `termm`\nhint: did you mean `term`?",
        ),
        (
            "grammar G;\nstart : 'x' ;\nstart : 'y' ;",
            "3:1: `start` is defined twice\nhint: the first definition is at 2:1",
        ),
        ("grammar G;\nbegin : 'x' ;", "the grammar has no rule `start`"),
        ("grammar G;\nstart : a ;\na : '(' a ')' ;", "2:1: `start` derives no finite text"),
        ("grammar G;\nstart : a | 'x' ;\na : b ;\nb : a | 'y' ;", "3:1: infinite chain a -> b -> a"),
        ("grammar G;\nstart : e start | 'x' ;\ne : | 'z' ;", "2:1: infinite chain start -> start"),
        ("", "1:1: expected `grammar`, found the end of the file"),
    ];
    for (text, expected) in cases {
        let error = Grammar::parse(text).and_then(|g| Enumeration::new(&g, Layout::OneLine)).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}\n  wanted {expected}");
        assert!(error.to_string().contains("hint:"), "{error}");
    }
}

#[test]
fn malformed_class_files_are_refused_with_a_position() {
    for (json, expected) in [
        ("{\"variables\": {\"V\": 1}}", "1:21:"),
        ("{\n\"variable\": {}}", "2:"),
        ("{\"variables\": {\"V\": \"(declare-const x Int)\"}}", "1:1: the declaration of `V` has no `{}`"),
        ("{\"constants\": {\"C\": []}}", "1:1: `C` has no constants"),
    ] {
        let error = Classes::parse(json).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_repeated_alternative_is_dropped_and_remembered() {
    let grammar = Grammar::parse("grammar G;\nop : 'a' | 'b' | 'a' ;\nstart : op ;").unwrap();
    assert_eq!(grammar.repeated.len(), 1);
    assert_eq!(grammar.repeated[0].to_string(), "2:18");
    assert_eq!(Enumeration::new(&grammar, Layout::OneLine).unwrap().count(1).unwrap(), UBig::from(2u8));
}

#[test]
fn a_grammar_made_from_the_tables_has_their_operators_and_only_well_typed_formulas() {
    let sets: [(&[&str], &[&str]); 5] = [
        (&["Int"], &["'(mod'", "'(abs'", "'(<='", "'(ite'", "'(=>'"]),
        (
            &["Int", "String", "RegLan"],
            &["'(str.replace_re'", "((_ re.loop 1 ", "'(str.from_code'", "re.allchar"],
        ),
        (&["(_ BitVec 8)", "(_ BitVec 4)"], &["'(bvsdiv'", "((_ extract ", "((_ sign_extend ", "'(concat'"]),
        (&["(_ FloatingPoint 3 5)", "RoundingMode"], &["'(fp.fma'", "RNE", "((_ to_fp 3 5)'"]),
        (&["(Array Int Bool)", "Int"], &["'(store'", "'(select'"]),
    ];
    for (sorts, operators) in sets {
        let wanted = strategy::enumerate::export::Wanted {
            sorts: sorts.iter().map(|&sort| sort.to_owned()).collect(),
            ..Default::default()
        };
        let exported = strategy::enumerate::export::export("Exported", &wanted).unwrap();
        for operator in operators {
            assert!(exported.grammar.contains(operator), "{operator} in {}", exported.grammar);
        }
        let classes = Classes::parse(&exported.classes).unwrap();
        let grammar = Grammar::parse_with(&exported.grammar, &classes, 2).unwrap();
        assert!(grammar.repeated.is_empty(), "{:?}", grammar.repeated);
        let mut enumeration = Enumeration::new(&grammar, Layout::Lines).unwrap();
        let mut met = 0;
        let check = |f: strategy::enumerate::Formula<'_>| {
            met += 1;
            // Every one of the first, then a sample.
            if met < 500 || met % 23 == 0 {
                smtlib::Script::parse(f.text.as_bytes())
                    .unwrap_or_else(|error| panic!("{error}: {}", f.text));
            }
            true
        };
        enumeration.walk(&UBig::ZERO, 20_000, None, check).unwrap();
    }
}

#[test]
fn blocks_cover_every_formula_once_and_are_rebuilt_from_their_settings() {
    use strategy::enumerate::cases::{BLOCK, Enumerate, Range};
    for modulo_symmetry in [false, true] {
        let range = Range { from: UBig::from(3u8), take: 100, modulo_symmetry };
        let grammar = find("Core").unwrap().grammar(None).unwrap();
        let blocks = Enumerate::new(grammar.clone(), "Core".into(), None, range).unwrap();
        assert_eq!(blocks.blocks(), 100u64.div_ceil(BLOCK));
        let (grammar_name, from) = (Some("Core".to_owned()), Some("3".to_owned()));
        let settings = strategy::Settings {
            grammar: grammar_name,
            from,
            modulo_symmetry,
            ..strategy::Settings::default()
        };
        let again = Enumerate::of(&settings).unwrap();
        let (mut texts, mut skipped) = (vec![], 0);
        for number in 0..blocks.blocks() {
            let block = blocks.block(number).unwrap();
            skipped += block.skipped;
            if number + 1 < blocks.blocks() {
                assert_eq!(again.block(number).unwrap(), block);
            }
            texts
                .extend(block.drafts.iter().map(|draft| String::from_utf8(draft.script().to_vec()).unwrap()));
        }
        assert_eq!(texts.len() as u64 + skipped, 100);
        assert_eq!(skipped > 0, modulo_symmetry);
        let mut enumeration = Enumeration::new(&grammar, Layout::Lines).unwrap();
        let mut symmetry = modulo_symmetry.then(|| Symmetry::of(&grammar, enumeration.tree()));
        let mut expected = vec![];
        let collect = |f: strategy::enumerate::Formula<'_>| {
            expected.push(format!("{}\n", f.text));
            true
        };
        enumeration.walk(&UBig::from(3u8), texts.len() as u64, symmetry.as_mut(), collect).unwrap();
        assert_eq!(texts, expected);
    }
}
