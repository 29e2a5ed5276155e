//! The symptom: what must show again for it to be the same bug.
//!
//! One type for all code that looks at a bug twice: confirmation, reduction, bisection, replay, the recovery of
//! sessions, signatures, masks of known bugs, and the commands that are printed. It is made from an accusation and its
//! reply; `shows` compares another reply with it and returns `None` where a limit came first, which decides nothing. It
//! describes what the *culprit* does; whether that is wrong on a changed formula is decided by the oracle.

use crate::site::{Site, normalised};
use oracle::{
    Accusation, FindingKind, Heard, ModelCheck, Pace, check_model, contradiction, core_names, notation,
};
use semantics::eval::EvalLimits;
use semantics::model::Notation;
use serde::{Deserialize, Serialize};
use smtlib::{Parsed, Script};
use solver::{Answer, Check, Ended, Extras, Reply, Target};
use strategy::{Question, Role};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symptom {
    pub kind: FindingKind,
    /// The target that shows it; `None` if the evidence does not decide which solver is wrong.
    pub culprit: Option<String>,
    /// The role in its case of the script that shows it.
    pub role: Role,
    /// Which check-sat of that script.
    pub check: usize,
    pub sign: Sign,
}

/// What the culprit's reply must show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// It gives this answer.
    Says(Answer),
    /// It crashes here.
    Dies(Site),
    /// It says sat with a model that our evaluator refutes.
    ModelFails,
    /// It says sat and prints a value that contradicts its own model.
    ValueFails,
    /// It says unsat with this core.
    CoreHolds(Vec<String>),
    /// It says unsat with these unsat assumptions, which the script itself requests.
    AssumptionsHold(Vec<String>),
    /// It says unknown.
    Undecided,
    /// It takes at least the pace's floor of processor time, where another solver takes a small part of that. Where the
    /// time goes, if stack samples were taken.
    Slower { pace: Pace, whereabouts: Option<String> },
    /// It refuses the script with this message, but for what changes from run to run.
    Refuses(String),
}

impl Symptom {
    /// The symptom in the reply that an accusation is about. `None` if the reply does not show it.
    pub fn of(accusation: &Accusation, heard: &Heard, questions: &[Question]) -> Option<Symptom> {
        let question = questions.get(heard.reply.question)?;
        let check = match question.role {
            _ if heard.reply.question == accusation.at.question => accusation.at.check,
            // The same assertions, run alone.
            Role::OneCheck(check) if check == accusation.at.check => 0,
            _ => return None,
        };
        let sign = Sign::of(accusation.kind, heard, check)?;
        let culprit = accusation.culprit.clone();
        Some(Symptom { kind: accusation.kind, culprit, role: question.role.clone(), check, sign })
    }

    /// What to request besides the answer.
    pub fn wants(&self) -> Extras {
        let core = matches!(self.sign, Sign::CoreHolds(_));
        Extras { model: matches!(self.sign, Sign::ModelFails | Sign::ValueFails), core, ..Extras::default() }
    }

    /// Whether the stack of a crash must be examined.
    pub fn locates(&self) -> bool {
        matches!(self.sign, Sign::Dies(_))
    }

    /// Whether memory was corrupt.
    pub fn is_corruption(&self) -> bool {
        matches!(&self.sign, Sign::Dies(site) if site.corruption)
    }

    /// The same crash, once it is known that the memory was corrupt.
    pub fn as_corruption(&self) -> Symptom {
        let mut symptom = self.clone();
        if let Sign::Dies(site) = &mut symptom.sign {
            site.corruption = true;
        }
        symptom
    }

    /// Whether a reply to a script shows it. `None`: a limit came first, or the target was not run.
    pub fn shows(&self, reply: &Reply, script: &Parsed, target: &Target) -> Option<bool> {
        match &self.sign {
            Sign::Slower { pace, .. } => return is_slow(reply, self.check, *pace),
            Sign::Refuses(message) => return refusal(reply).map(|now| now.as_deref() == Some(message)),
            Sign::Dies(site) if matches!(reply.ended, Ended::Crash { .. }) => {
                return Some(site.is_where(reply));
            }
            Sign::Dies(_) => return (!says_nothing(&reply.ended)).then_some(false),
            _ => {}
        }
        let said = reply.checks.get(self.check);
        if said.and_then(|said| said.answer).is_none() && says_nothing(&reply.ended) {
            return None;
        }
        let Some(said) = said else { return Some(false) };
        Some(match &self.sign {
            Sign::Says(answer) => said.answer == Some(*answer),
            Sign::Undecided => said.answer == Some(Answer::Unknown),
            Sign::ModelFails => said.answer == Some(Answer::Sat) && self.fails(reply, script, target),
            Sign::ValueFails => contradicts(said, &script.to_script(), self.check, notation(target)),
            Sign::CoreHolds(_) | Sign::AssumptionsHold(_) => self.has_core(reply, self.check),
            Sign::Slower { .. } | Sign::Refuses(_) | Sign::Dies(_) => false,
        })
    }

    /// Whether a check-sat of a reply has the core, or the unsat assumptions, of this symptom.
    pub(crate) fn has_core(&self, reply: &Reply, check: usize) -> bool {
        let Some(said) = reply.checks.get(check).filter(|said| said.answer == Some(Answer::Unsat)) else {
            return false;
        };
        match &self.sign {
            Sign::CoreHolds(names) => said.core.as_deref().and_then(listed).as_ref() == Some(names),
            Sign::AssumptionsHold(members) => {
                said.assumptions.as_deref().and_then(listed).as_ref() == Some(members)
            }
            _ => false,
        }
    }

    /// Whether the model of a reply is refuted.
    fn fails(&self, reply: &Reply, script: &Parsed, target: &Target) -> bool {
        let model = reply.checks.get(self.check).and_then(|said| said.model.as_deref());
        model.is_some_and(|model| {
            let checked = check_model(&mut script.to_script(), self.check, model, notation(target));
            matches!(checked, ModelCheck::Refuted { .. })
        })
    }
}

impl Sign {
    fn of(kind: FindingKind, heard: &Heard, check: usize) -> Option<Sign> {
        let answer = heard.answer(check);
        match kind {
            FindingKind::Crash => Site::of(&heard.reply.ended).map(Sign::Dies),
            FindingKind::InvalidModel => {
                let refuted = matches!(heard.model(check), Some(ModelCheck::Refuted { .. }));
                refuted.then_some(Sign::ModelFails)
            }
            FindingKind::InvalidValue => (answer == Some(Answer::Sat)).then_some(Sign::ValueFails),
            FindingKind::InvalidCore => {
                let said = heard.reply.checks.get(check)?;
                match (&said.core, &said.assumptions) {
                    (Some(core), _) => listed(core).map(Sign::CoreHolds),
                    (None, assumptions) => listed(assumptions.as_deref()?).map(Sign::AssumptionsHold),
                }
            }
            FindingKind::InvalidInterpolant => answer.map(Sign::Says),
            FindingKind::RefutationUnsound | FindingKind::InvalidProof => {
                answer.filter(|&answer| answer == Answer::Unsat).map(Sign::Says)
            }
            FindingKind::SolutionUnsound => answer.filter(|&answer| answer == Answer::Sat).map(Sign::Says),
            FindingKind::Inconsistent => answer.filter(|&answer| answer != Answer::Unknown).map(Sign::Says),
            FindingKind::IncompletenessRegression | FindingKind::IncompletenessImplication => {
                (answer == Some(Answer::Unknown)).then_some(Sign::Undecided)
            }
            FindingKind::PerformanceRegression | FindingKind::Performance => {
                let late = answer.is_none_or(|answer| answer != Answer::Unknown);
                let whereabouts = heard.reply.whereabouts.clone();
                late.then_some(Sign::Slower { pace: Pace::USUAL, whereabouts })
            }
            FindingKind::RejectsValidInput => refusal(&heard.reply).flatten().map(Sign::Refuses),
        }
    }
}

/// Whether a reply took long. A limit that came before the floor says nothing, and neither does giving up.
fn is_slow(reply: &Reply, check: usize, pace: Pace) -> Option<bool> {
    match reply.answer_to(check) {
        Some(Answer::Unknown) => Some(false),
        _ if reply.cpu >= pace.floor => Some(true),
        Some(_) => Some(false),
        None => (!says_nothing(&reply.ended)).then_some(false),
    }
}

/// The message of a refusal; `None` if a limit came first.
fn refusal(reply: &Reply) -> Option<Option<String>> {
    match &reply.ended {
        Ended::Error(message) => Some(Some(normalised(message.lines().next().unwrap_or_default()))),
        ended if says_nothing(ended) => None,
        _ => Some(None),
    }
}

/// Whether what was said after a `sat` contradicts itself.
fn contradicts(said: &Check, script: &Script, check: usize, notation: Notation) -> bool {
    contradiction(script, check, said, notation, EvalLimits::default()).is_some()
}

/// The members of a printed list.
fn listed(list: &[u8]) -> Option<Vec<String>> {
    Some(core_names(list)?.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

/// Whether the end of a run says nothing about the solver.
pub fn says_nothing(ended: &Ended) -> bool {
    ended.is_limit() || matches!(ended, Ended::Cancelled | Ended::Killed { .. } | Ended::Unavailable(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::{Profiles, Response};

    fn target() -> Target {
        Target {
            name: "z3@5.4.0".into(),
            profile: Profiles::embedded().get("z3"),
            command: vec![],
            args: vec![],
            version: None,
            hash: String::new(),
            path: "z3".into(),
        }
    }

    fn reply(answer: Option<Answer>, model: Option<&str>, ended: Ended) -> Reply {
        let model = model.map(|model| model.as_bytes().to_vec());
        Reply { checks: vec![Check { answer, model, ..Check::default() }], ended, ..Reply::default() }
    }

    fn shows(sign: Sign, reply: &Reply) -> Option<bool> {
        let script = Parsed::read(&b"(declare-const x Int)(assert (> x 0))(check-sat)"[..]).unwrap();
        let kind = FindingKind::Inconsistent;
        let symptom = Symptom { kind, culprit: None, role: Role::Formula, check: 0, sign };
        symptom.shows(reply, &script, &target())
    }

    #[test]
    fn an_answer_shows_again_or_not_and_a_limit_decides_nothing() {
        let sign = || Sign::Says(Answer::Unsat);
        assert_eq!(shows(sign(), &reply(Some(Answer::Unsat), None, Ended::ByItself)), Some(true));
        assert_eq!(shows(sign(), &reply(Some(Answer::Sat), None, Ended::ByItself)), Some(false));
        assert_eq!(shows(sign(), &reply(None, None, Ended::Wall)), None);
        assert_eq!(shows(sign(), &reply(None, None, Ended::Error("no".into()))), Some(false));
        assert_eq!(
            shows(sign(), &reply(Some(Answer::Unsat), None, Ended::Wall)),
            Some(true),
            "answered in time"
        );
    }

    #[test]
    fn a_model_shows_the_symptom_only_if_it_is_refuted() {
        let bad = reply(Some(Answer::Sat), Some("((define-fun x () Int 0))"), Ended::ByItself);
        let good = reply(Some(Answer::Sat), Some("((define-fun x () Int 1))"), Ended::ByItself);
        assert_eq!(shows(Sign::ModelFails, &bad), Some(true));
        assert_eq!(shows(Sign::ModelFails, &good), Some(false));
        assert_eq!(shows(Sign::ModelFails, &reply(Some(Answer::Sat), None, Ended::ByItself)), Some(false));
    }

    #[test]
    fn a_crash_shows_again_only_at_its_site() {
        let crash = |message: &str| Ended::Crash { signal: Some(6), message: message.into(), wrapped: false };
        let sign = || Sign::Dies(Site::of(&crash("at x.cpp:3")).unwrap());
        assert_eq!(shows(sign(), &reply(None, None, crash("at x.cpp:3"))), Some(true));
        assert_eq!(shows(sign(), &reply(None, None, crash("at y.cpp:9"))), Some(false));
        assert_eq!(shows(sign(), &reply(Some(Answer::Sat), None, Ended::ByItself)), Some(false));
        assert_eq!(shows(sign(), &reply(None, None, Ended::Memory)), None);
        let kind = FindingKind::Crash;
        let symptom = |sign| Symptom { kind, culprit: None, role: Role::Formula, check: 0, sign };
        assert!(symptom(sign()).locates(), "its stack is examined, since the site is what counts");
        assert!(!symptom(Sign::Says(Answer::Unsat)).locates());
    }

    #[test]
    fn a_core_shows_again_with_the_same_names_only() {
        let mut said = reply(Some(Answer::Unsat), None, Ended::ByItself);
        said.checks[0].core = Some(b"(a |b c|)".to_vec());
        let names = |names: &[&str]| Sign::CoreHolds(names.iter().map(|&name| name.into()).collect());
        assert_eq!(shows(names(&["a", "b c"]), &said), Some(true));
        assert_eq!(shows(names(&["a"]), &said), Some(false));
        said.checks[0].assumptions = Some(b"(p (not q))".to_vec());
        let members = |names: &[&str]| Sign::AssumptionsHold(names.iter().map(|&name| name.into()).collect());
        assert_eq!(shows(members(&["p", "(not q)"]), &said), Some(true));
        assert_eq!(shows(members(&["p"]), &said), Some(false));
    }

    #[test]
    fn a_value_shows_the_symptom_only_if_it_contradicts_the_model() {
        let script = &b"(declare-const x Int)(assert (> x 0))(check-sat)(get-value (x))"[..];
        let symptom = Symptom {
            kind: FindingKind::InvalidValue,
            culprit: None,
            role: Role::Formula,
            check: 0,
            sign: Sign::ValueFails,
        };
        for (value, expected) in [("((x 1))", false), ("((x 2))", true)] {
            let mut said = reply(Some(Answer::Sat), Some("((define-fun x () Int 1))"), Ended::ByItself);
            said.checks[0].responses = vec![Response { number: 0, text: value.as_bytes().to_vec() }];
            assert_eq!(symptom.shows(&said, &Parsed::read(script).unwrap(), &target()), Some(expected));
        }
    }

    #[test]
    fn slowness_shows_by_processor_time_and_a_limit_that_comes_too_early_says_nothing() {
        let sign = || Sign::Slower { pace: Pace::USUAL, whereabouts: None };
        let after = |millis, answer, ended| {
            let cpu = std::time::Duration::from_millis(millis);
            shows(sign(), &Reply { cpu, ..reply(answer, None, ended) })
        };
        assert_eq!(after(1500, Some(Answer::Sat), Ended::ByItself), Some(true));
        assert_eq!(after(1500, None, Ended::Cpu), Some(true));
        assert_eq!(after(400, None, Ended::Wall), None, "the machine was busy");
        assert_eq!(after(400, Some(Answer::Sat), Ended::ByItself), Some(false));
        assert_eq!(after(1500, Some(Answer::Unknown), Ended::ByItself), Some(false), "that is giving up");
    }

    #[test]
    fn a_refusal_shows_again_with_the_same_message_but_for_numbers() {
        let sign = Sign::Refuses(normalised("line 3: bad sort"));
        let error = |text: &str| reply(None, None, Ended::Error(text.into()));
        assert_eq!(shows(sign.clone(), &error("line 9: bad sort")), Some(true));
        assert_eq!(shows(sign.clone(), &error("line 9: bad term")), Some(false));
        assert_eq!(shows(sign, &reply(None, None, Ended::Wall)), None);
    }

    #[test]
    fn every_sign_is_read_back_from_its_record() {
        let crash = Ended::Crash { signal: None, message: "bad index 4".into(), wrapped: false };
        for sign in [
            Sign::Says(Answer::Sat),
            Sign::Dies(Site::of(&crash).unwrap()),
            Sign::ModelFails,
            Sign::ValueFails,
            Sign::CoreHolds(vec!["a".into()]),
            Sign::AssumptionsHold(vec!["(not a)".into()]),
            Sign::Undecided,
            Sign::Slower { pace: Pace::USUAL, whereabouts: Some("f, from g".into()) },
            Sign::Refuses("no #".into()),
        ] {
            let text = serde_json::to_string(&sign).unwrap();
            assert_eq!(serde_json::from_str::<Sign>(&text).unwrap(), sign, "{text}");
        }
    }
}
