//! Checks whether rules are well-typed and whether they hold.
//!
//! In: rules. Out, per rule and per choice of its sorts: a script that is unsatisfiable exactly if the rule holds (for
//! solvers), and the result of trying values in the evaluator. The evaluator can refute; only a solver can prove.
//! Values are often drawn equal, so that premises such as x = y hold in some trials. Those trials are counted, because
//! a rule whose premise never holds has not been tested.

use super::rules::{Head, IndexTerm, Rule, Rules, Shape, SortExpr, Term, Var, VarKind};
use crate::fusion::sorts::Shape as SortText;
use crate::fusion::verify::value;
use crate::{CampaignKey, Rng};
use semantics::eval::Evaluator;
use semantics::model::Model;
use semantics::value::Value;
use smtlib::theory::{self, Pat};
use smtlib::{Script, SortId};

/// The result of trying values for a rule, over all choices of its sorts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    pub tried: u64,
    /// How often the premise was true, or the sides of an equivalence were.
    pub met: u64,
    /// Number of values for which the evaluator could not decide.
    pub undecided: u64,
    /// The first script that shows the rule to be wrong.
    pub refuted: Option<String>,
    /// Why the rule is ill-typed.
    pub ill_typed: Option<String>,
}

impl Trial {
    /// Whether the rule was not refuted and its premise was true at least once.
    pub fn is_fine(&self) -> bool {
        self.refuted.is_none() && self.ill_typed.is_none() && self.met > 0
    }
}

/// Tries every rule with this many values per choice of sorts.
pub fn verify(rules: &Rules, count: u64) -> Vec<(&str, Trial)> {
    rules.rules.iter().map(|rule| (rule.name.as_str(), try_rule(rule, count))).collect()
}

/// Tries one rule.
pub fn try_rule(rule: &Rule, count: u64) -> Trial {
    let mut trial = Trial::default();
    for sorts in choices(rule) {
        let key = CampaignKey(format!("{} {sorts:?}", rule.name));
        for n in 0..count {
            let mut rng = Rng::of(&key, "verify", n);
            if let Some(sample) = Sample::draw(rule, &sorts, &mut rng) {
                sample.judge(&mut trial);
            }
            if trial.refuted.is_some() || trial.ill_typed.is_some() {
                return trial;
            }
        }
    }
    trial
}

/// Scripts that are unsatisfiable exactly if the rule holds, one per choice of sorts.
pub fn obligations(rule: &Rule) -> Vec<Vec<u8>> {
    let whole = |sorts: &Vec<String>| {
        let (declarations, claim) = Sample::symbolic(rule, sorts)?.claim();
        Some(format!("(set-logic ALL)\n{declarations}(assert (not {claim}))\n(check-sat)\n").into_bytes())
    };
    // cvc5 1.4.2 answers sat with an invalid model on sums of the smallest format, which it calls experimental.
    let sound = |sorts: &&Vec<String>| !sorts.iter().any(|sort| sort == "(_ FloatingPoint 2 3)");
    choices(rule).iter().filter(sound).filter_map(whole).collect()
}

const ANY: &[&str] = &["Int", "Bool", "String", "(_ BitVec 2)", "(_ FloatingPoint 3 4)", "(Array Int Bool)"];

/// Sorts, as text, for the sort variables of a rule.
fn choices(rule: &Rule) -> Vec<Vec<String>> {
    let blank = vec![String::new(); rule.sorts.len()];
    let Some(main) = rule.sorts.iter().position(|var| var.shape != Shape::Part) else { return vec![blank] };
    let with = |parts: &[(usize, &str)]| {
        let mut choice = blank.clone();
        parts.iter().for_each(|&(n, text)| choice[n] = text.to_owned());
        choice
    };
    let each = |texts: &[&str]| texts.iter().map(|text| with(&[(main, text)])).collect();
    match &rule.sorts[main].shape {
        Shape::OneOf(sorts) => sorts.iter().map(|&sort| with(&[(main, fixed(sort))])).collect(),
        Shape::BitVec => each(&["(_ BitVec 1)", "(_ BitVec 4)"]),
        Shape::Float => each(&["(_ FloatingPoint 3 4)", "(_ FloatingPoint 2 3)"]),
        Shape::Datatype => each(&["D"]),
        Shape::Any | Shape::Part => each(ANY),
        Shape::Array(i, e) => vec![
            with(&[(main, "(Array Int Bool)"), (*i, "Int"), (*e, "Bool")]),
            with(&[(main, "(Array (_ BitVec 2) Int)"), (*i, "(_ BitVec 2)"), (*e, "Int")]),
        ],
        Shape::Seq(e) => {
            vec![with(&[(main, "(Seq Int)"), (*e, "Int")]), with(&[(main, "(Seq Bool)"), (*e, "Bool")])]
        }
        Shape::Set(e) => {
            vec![with(&[(main, "(Set Int)"), (*e, "Int")]), with(&[(main, "(Set Bool)"), (*e, "Bool")])]
        }
    }
}

fn fixed(sort: SortId) -> &'static str {
    match sort {
        SortId::INT => "Int",
        SortId::REAL => "Real",
        SortId::STRING => "String",
        SortId::REGLAN => "RegLan",
        SortId::ROUNDING_MODE => "RoundingMode",
        _ => "Bool",
    }
}

/// A datatype to try rules with: its constructors and the sorts of their fields.
const DATATYPE: &str =
    "(declare-datatypes ((D 0)) (((leaf) (pair (first Int) (second Bool)) (wrap (inner Int)))))\n";
const CONSTRUCTORS: [(&str, &[&str]); 2] = [("pair", &["Int", "Bool"]), ("wrap", &["Int"])];

/// A rule with a text for every variable: values, or symbols.
struct Sample<'r> {
    rule: &'r Rule,
    sorts: &'r [String],
    /// Per variable: its text. A function has its name, a predicate the two halves around its place.
    texts: Vec<Vec<String>>,
    declarations: String,
    /// The sort of a predicate's place.
    place: &'static str,
    /// A word of a language, an element of a set.
    member: Option<String>,
}

impl<'r> Sample<'r> {
    fn sort(&self, sort: SortExpr) -> &'r str {
        match sort {
            SortExpr::Fixed(sort) => fixed(sort),
            SortExpr::Var(n) => &self.sorts[n],
            SortExpr::Any => "Int",
        }
    }

    fn blank(rule: &'r Rule, sorts: &'r [String]) -> Sample<'r> {
        let declarations = if sorts.iter().any(|sort| sort == "D") { DATATYPE } else { "" };
        Sample {
            rule,
            sorts,
            texts: vec![],
            declarations: declarations.to_owned(),
            place: "Bool",
            member: None,
        }
    }

    // Values.

    fn draw(rule: &'r Rule, sorts: &'r [String], rng: &mut Rng) -> Option<Sample<'r>> {
        let mut sample = Sample::blank(rule, sorts);
        sample.place = *rng.pick(&["Bool", "(_ BitVec 2)"])?;
        let mut known: Vec<(String, String)> = vec![];
        let constructor = CONSTRUCTORS[rng.below(2)];
        for (n, var) in rule.vars.iter().enumerate() {
            let texts = sample.values(n, var, constructor, &mut known, rng)?;
            sample.texts.push(texts);
        }
        let member = rule.ordered_sort(sorts);
        sample.member = match member.as_deref() {
            None => None,
            Some("RegLan") => Some(near("String", &mut known, rng)?),
            Some(set) => Some(near(set.strip_prefix("(Set ")?.strip_suffix(')')?, &mut known, rng)?),
        };
        Some(sample)
    }

    fn values(
        &mut self,
        slot: usize,
        var: &Var,
        constructor: (&str, &[&str]),
        known: &mut Vec<(String, String)>,
        rng: &mut Rng,
    ) -> Option<Vec<String>> {
        let sort = self.sort(var.sort);
        Some(match var.kind {
            VarKind::Term if var.many && var.sort == SortExpr::Any => {
                constructor.1.iter().map(|sort| near(sort, known, rng)).collect::<Option<_>>()?
            }
            VarKind::Term if var.many => {
                (0..rng.below(4)).map(|_| near(sort, known, rng)).collect::<Option<_>>()?
            }
            VarKind::Term if var.sort == SortExpr::Any => vec![near(self.place, known, rng)?],
            VarKind::Term => vec![near(sort, known, rng)?],
            VarKind::Function => {
                let apart = near(sort, known, rng)?;
                self.declarations
                    .push_str(&format!("(define-fun f{slot} ((x {sort})) Int (ite (= x {apart}) 0 1))\n"));
                vec![format!("f{slot}")]
            }
            VarKind::Constructor => vec![constructor.0.to_owned()],
            VarKind::Predicate => {
                let halves = [("(= ", ")"), ("(not (= ", "))"), ("(or ", ")"), ("(and ", ")")];
                let (before, after) = *rng.pick(&halves[..if self.place == "Bool" { 4 } else { 2 }])?;
                vec![before.to_owned(), format!(" {}{after}", near(self.place, known, rng)?)]
            }
            VarKind::Numeral => vec![(1 + rng.below(3)).to_string()],
            VarKind::Bound => vec![format!("bound{slot}")],
        })
    }

    // Symbols.

    fn symbolic(rule: &'r Rule, sorts: &'r [String]) -> Option<Sample<'r>> {
        let mut sample = Sample::blank(rule, sorts);
        sample.place = "Int";
        let (constructor, fields) = CONSTRUCTORS[0];
        for (slot, var) in rule.vars.iter().enumerate() {
            let sort = sample.sort(var.sort);
            let mut declare = |name: String, sort: &str| {
                sample.declarations.push_str(&format!("(declare-const {name} {sort})\n"));
                name
            };
            let texts = match var.kind {
                VarKind::Term if var.many && var.sort == SortExpr::Any => {
                    fields.iter().enumerate().map(|(n, sort)| declare(format!("v{slot}-{n}"), sort)).collect()
                }
                VarKind::Term if sort == "RegLan" => {
                    // No solver has variables of language sorts.
                    let words = [["a", "b"], ["b", "ab"], ["c", "a"]][slot % 3];
                    words.map(|word| format!("(re.* (str.to_re \"{word}\"))"))[..if var.many { 2 } else { 1 }]
                        .to_vec()
                }
                VarKind::Term if var.literal && sort == "String" => {
                    vec![format!("\"{}\"", ["a", "z", "ab"][slot % 3])]
                }
                VarKind::Term if var.many => (0..2).map(|n| declare(format!("v{slot}-{n}"), sort)).collect(),
                VarKind::Term => vec![declare(format!("v{slot}"), sort)],
                VarKind::Function => {
                    sample.declarations.push_str(&format!("(declare-fun f{slot} ({sort}) Int)\n"));
                    vec![format!("f{slot}")]
                }
                VarKind::Constructor => vec![constructor.to_owned()],
                VarKind::Predicate => {
                    sample.declarations.push_str(&format!("(declare-fun P{slot} (Int) Bool)\n"));
                    vec![format!("(P{slot} "), ")".to_owned()]
                }
                VarKind::Numeral => vec!["2".to_owned()],
                VarKind::Bound => vec![format!("bound{slot}")],
            };
            sample.texts.push(texts);
        }
        if let Some(ordered) = rule.ordered_sort(sorts) {
            let element =
                ordered.strip_prefix("(Set ").and_then(|rest| rest.strip_suffix(')')).unwrap_or("String");
            sample.declarations.push_str(&format!("(declare-const member {element})\n"));
            sample.member = Some("member".to_owned());
        }
        Some(sample)
    }

    // Text.

    /// The declarations, and the formula that must hold.
    fn claim(&self) -> (String, String) {
        let (strong, weak) = self.sides().unwrap_or_default();
        let arrow = if self.rule.equivalent { "=" } else { "=>" };
        let claim = format!("({arrow} {strong} {weak})");
        let claim = match self.condition() {
            Some(condition) => format!("(=> {condition} {claim})"),
            None => claim,
        };
        (self.declarations.clone(), claim)
    }

    fn condition(&self) -> Option<String> {
        self.write(&self.rule.condition.as_ref()?.0, 0)
    }

    /// Both sides as formulas; `None` if dots are bound to too few terms.
    fn sides(&self) -> Option<(String, String)> {
        let side = |term: &Term| {
            let text = self.write(term, 0)?;
            Some(match (&self.member, self.rule.ordered_sort(self.sorts).as_deref()) {
                (Some(word), Some("RegLan")) => format!("(str.in_re {word} {text})"),
                (Some(element), Some(_)) => format!("(set.member {element} {text})"),
                _ => text,
            })
        };
        Some((side(&self.rule.strong)?, side(&self.rule.weak)?))
    }

    fn write(&self, term: &Term, nth: usize) -> Option<String> {
        Some(match term {
            Term::Var(slot) if self.rule.vars[*slot].many => self.texts[*slot].get(nth)?.clone(),
            Term::Var(slot) => self.texts[*slot][0].clone(),
            Term::Value { text, sort, .. } => literal(text, self.sort(*sort)),
            Term::App { head, args, .. } => {
                let mut written = vec![];
                for arg in args {
                    let times = if arg.many { self.repetitions(&arg.term) } else { 1 };
                    for n in 0..times {
                        written.push(self.write(&arg.term, if arg.many { n } else { nth })?);
                    }
                }
                if args.iter().any(|arg| arg.many) && written.len() < 2 {
                    let folds =
                        matches!(head, Head::Op { name, .. } if super::writing::FOLDED.contains(name));
                    return if folds { written.pop() } else { None };
                }
                let head = self.head(head);
                if written.is_empty() { head } else { format!("({head} {})", written.join(" ")) }
            }
            Term::Bind { quantifier, var, body } => {
                let sort = self.sort(self.rule.vars[*var].sort);
                format!("({} ((bound{var} {sort})) {})", quantifier.name(), self.write(body, nth)?)
            }
            Term::All { quantifier, predicate } => {
                let [before, after] = &self.texts[*predicate][..] else { return None };
                format!("({} ((x {})) {before}x{after})", quantifier.name(), self.place)
            }
            Term::At { predicate, term } => {
                let [before, after] = &self.texts[*predicate][..] else { return None };
                format!("{before}{}{after}", self.texts[*term][0])
            }
        })
    }

    fn repetitions(&self, term: &Term) -> usize {
        let mut used = vec![];
        term.variables(&mut used);
        used.iter()
            .filter(|&&slot| self.rule.vars[slot].many)
            .map(|&slot| self.texts[slot].len())
            .min()
            .unwrap_or(0)
    }

    fn head(&self, head: &Head) -> String {
        match head {
            Head::Op { name, indices, .. } if indices.is_empty() => (*name).to_owned(),
            Head::Op { name, indices, .. } => {
                let index = |index: &IndexTerm| match *index {
                    IndexTerm::Num(number) => number.to_string(),
                    IndexTerm::Numeral(slot) => self.texts[slot][0].clone(),
                    IndexTerm::Count(slot) => self.texts[slot].len().to_string(),
                };
                format!("(_ {name} {})", indices.iter().map(index).collect::<Vec<_>>().join(" "))
            }
            Head::Function(slot) | Head::Constructor(slot) => self.texts[*slot][0].clone(),
            Head::Tester(slot) => format!("(_ is {})", self.texts[*slot][0]),
        }
    }

    /// Evaluates both sides.
    fn judge(&self, trial: &mut Trial) {
        let Some((strong, weak)) = self.sides() else { return };
        let condition = self.condition().unwrap_or_else(|| "true".to_owned());
        let text = format!("{}(assert {condition})\n(assert {strong})\n(assert {weak})\n", self.declarations);
        let script = match Script::parse(text.as_bytes()) {
            Ok(script) => script,
            Err(error) => {
                trial.ill_typed = Some(error.render("rule", text.as_bytes()));
                return;
            }
        };
        let model = Model::default();
        let mut evaluator = Evaluator::new(&script.pool, &model);
        let truth = |term| match evaluator.eval_open(term) {
            Ok(Value::Bool(truth)) => Some(truth),
            _ => None,
        };
        let truths: Vec<Option<bool>> = script.assertions().map(truth).collect();
        trial.tried += 1;
        match truths[..] {
            [Some(false), ..] => trial.tried -= 1,
            [Some(true), Some(strong), Some(weak)] => {
                trial.met += u64::from(strong || (self.rule.equivalent && weak));
                let wrong = if self.rule.equivalent { strong != weak } else { strong && !weak };
                trial.refuted = wrong.then_some(text);
            }
            _ => trial.undecided += 1,
        }
    }
}

impl Rule {
    /// The sort of both sides, where it is not Bool.
    fn ordered_sort(&self, sorts: &[String]) -> Option<String> {
        let text = |term: &Term| match term {
            Term::Var(slot) => match self.vars[*slot].sort {
                SortExpr::Fixed(SortId::REGLAN) => Some("RegLan".to_owned()),
                SortExpr::Var(n) => Some(sorts[n].clone()).filter(|sort| sort.starts_with("(Set ")),
                _ => None,
            },
            Term::App { head: Head::Op { name, .. }, .. } => {
                let rows = theory::lookup(name.as_bytes())?;
                match rows.first()?.0.row().result {
                    Pat::RegLan => Some("RegLan".to_owned()),
                    Pat::Set(_) => sorts.iter().find(|sort| sort.starts_with("(Set ")).cloned(),
                    _ => None,
                }
            }
            _ => None,
        };
        text(&self.strong)
    }
}

/// A literal of the rule file for a sort given as text.
fn literal(text: &str, sort: &str) -> String {
    let inner = sort.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')'));
    match inner.map(|inner| inner.split(' ').collect::<Vec<_>>()).as_deref() {
        Some(["BitVec", width]) => format!("(_ bv{text} {width})"),
        Some(["FloatingPoint", eb, sb]) => format!("(_ {text} {eb} {sb})"),
        _ if sort.starts_with("(Seq ") => format!("(as seq.{text} {sort})"),
        _ if sort.starts_with("(Set ") => format!("(as set.{text} {sort})"),
        _ if sort == "Real" && !text.contains('.') => format!("{text}.0"),
        _ => text.to_owned(),
    }
}

/// A value of a sort, often one that was drawn before, so that terms are sometimes equal.
fn near(sort: &str, known: &mut Vec<(String, String)>, rng: &mut Rng) -> Option<String> {
    let same: Vec<usize> = (0..known.len()).filter(|&n| known[n].0 == sort).collect();
    if let Some(&n) = rng.pick(&same).filter(|_| rng.chance(1, 2)) {
        return Some(known[n].1.clone());
    }
    let drawn = match sort {
        "RegLan" => language(2, rng),
        "String" => ["\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"aa\"", "\"5\"", "\"12\"", "\"aba\""]
            [rng.below(8)]
        .to_owned(),
        "Int" => ["0", "1", "2", "(- 1)", "(- 2)", "7"][rng.below(6)].to_owned(),
        "D" => ["leaf", "(pair 0 true)", "(pair 1 true)", "(wrap 0)", "(wrap 1)"][rng.below(5)].to_owned(),
        _ => String::from_utf8(value(&SortText::read(sort), rng)?).ok()?,
    };
    known.push((sort.to_owned(), drawn.clone()));
    Some(drawn)
}

fn language(depth: usize, rng: &mut Rng) -> String {
    if depth == 0 {
        let words = ["\"\"", "\"a\"", "\"b\"", "\"ab\""];
        return format!("(str.to_re {})", words[rng.below(words.len())]);
    }
    match rng.below(6) {
        0 => "re.allchar".to_owned(),
        1 => format!("(re.* {})", language(depth - 1, rng)),
        2 => format!("(re.union {} {})", language(depth - 1, rng), language(depth - 1, rng)),
        3 => format!("(re.++ {} {})", language(depth - 1, rng), language(depth - 1, rng)),
        4 => format!("(re.comp {})", language(depth - 1, rng)),
        _ => language(0, rng),
    }
}
