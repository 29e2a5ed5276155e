//! Matches a solver's output with the commands that it was sent, response by response.
//!
//! In: the bytes of standard output, and a plan: the commands that respond, in order. Out: one [`Check`] per check-sat.
//! The reader distinguishes three shapes: an S-expression, which may span lines and of which only the head counts; a
//! line that is exactly one word; and anything else, which is stray. So `sat` inside an echo, a model or a warning is
//! not an answer, and neither is a last line that a kill truncated.
//!
//! Errors void what they must: an `(error …)` that is not the response to a get-… command means that some command
//! was not executed, so every later answer is about another formula and does not count. Answers are matched to
//! check-sats by count; if the counts do not match, none of them counts.

use crate::answer::{Answer, Check, Response};
use crate::outline::{self, Outline, is_check};
use crate::profile::Messages;
use crate::sexp;

/// An expected response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Check,
    /// A line with this text, bare or in quotes.
    Echo(Vec<u8>),
    /// `adjacent`: no command that could fail is between it and the response before.
    Get {
        what: Get,
        adjacent: bool,
    },
}

/// What a get-… command requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Get {
    Model,
    Core,
    Proof,
    Reason,
    /// The unsat assumptions.
    Assumptions,
    /// Another request of the script's own, counted from the check-sat before it.
    Own(usize),
}

/// The responses that a text will produce.
#[derive(Clone, Debug, Default)]
pub struct ReadingPlan {
    pub steps: Vec<Step>,
    /// A command that some solvers do not know: `unsupported` then means that the question has changed.
    pub unusual: bool,
    /// The script's own requests since the last check-sat.
    own: usize,
}

/// Whether the response to a command of a script is kept as a response of its own, with its number since the check-sat
/// before it: not what has a place of its own, such as a model.
pub fn is_own_request(name: &[u8], argument: Option<&[u8]>) -> bool {
    match name {
        b"get-model" | b"get-unsat-core" | b"get-proof" | b"get-unsat-assumptions" => false,
        b"get-info" => argument != Some(b":reason-unknown"),
        _ => name.starts_with(b"get-") || matches!(name, b"eval" | b"simplify"),
    }
}

impl ReadingPlan {
    /// The responses to a script's own commands.
    pub fn of(outline: &Outline<'_>) -> ReadingPlan {
        let mut plan = ReadingPlan::default();
        let mut adjacent = false;
        for command in &outline.commands {
            adjacent = plan.add(command, adjacent);
        }
        plan
    }

    /// Counts a command that is not sent, so that the others keep their numbers.
    pub fn omit(&mut self, command: &sexp::Command<'_>) {
        self.own += usize::from(is_own_request(command.name, outline::argument(command)));
    }

    /// Adds one command; `adjacent` says whether a response directly precedes, and so does the returned value.
    pub fn add(&mut self, command: &sexp::Command<'_>, adjacent: bool) -> bool {
        let what = match command.name {
            _ if is_check(command) => {
                self.steps.push(Step::Check);
                self.own = 0;
                return true;
            }
            b"echo" => {
                let text = outline::argument(command).and_then(sexp::unquote).unwrap_or_default();
                self.steps.push(Step::Echo(text));
                return adjacent;
            }
            b"get-model" => Get::Model,
            b"get-unsat-core" => Get::Core,
            b"get-proof" => Get::Proof,
            b"get-unsat-assumptions" => Get::Assumptions,
            b"get-info" if outline::argument(command) == Some(b":reason-unknown") => Get::Reason,
            name if is_own_request(name, outline::argument(command)) => {
                self.own += 1;
                Get::Own(self.own - 1)
            }
            name => {
                self.unusual |= !outline::is_standard(name) && name != b"check-sat-using";
                return false;
            }
        };
        self.steps.push(Step::Get { what, adjacent });
        adjacent
    }
}

/// The result of reading.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub checks: Vec<Check>,
    /// Unexpected errors, in order.
    pub errors: Vec<String>,
    /// The first error that voids what follows.
    pub taint: Option<String>,
    pub stray: Vec<u8>,
    /// Output and plan do not match.
    pub trouble: Option<String>,
    pub unsupported: bool,
    /// The output stops in the middle of a response.
    pub unfinished: bool,
    /// An answer came where another command's response was expected, which may print such a word too.
    misplaced: bool,
    step: usize,
    /// Checks that earlier parts have completed.
    settled: usize,
}

/// Reads a whole output; see [`Reading::read`].
pub fn read(output: &[u8], plan: &ReadingPlan, messages: &Messages, complete: bool) -> Reading {
    let mut reading = Reading::default();
    reading.read(output, plan, messages, complete);
    reading
}

impl Reading {
    /// Reads the next part of a conversation: the output that belongs to `plan`.
    ///
    /// `complete` says that the solver's output is complete; otherwise a last line without its end does not count, and
    /// missing responses are not an error. `messages` defines which errors only say that a get-… command came at the
    /// wrong time.
    pub fn read(&mut self, output: &[u8], plan: &ReadingPlan, messages: &Messages, complete: bool) {
        self.step = 0;
        let mut reader = Reader { output, plan, messages, complete, reading: self };
        reader.all();
        reader.settle();
    }
}

/// cvc5's way to give the reason: `unknown (TIMEOUT)`. Exactly that shape, and nothing else on the line.
fn unknown_because(line: &[u8]) -> Option<String> {
    let reason = line.strip_prefix(b"unknown (")?.strip_suffix(b")")?;
    let plain = !reason.is_empty() && reason.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    plain.then(|| String::from_utf8_lossy(reason).to_ascii_lowercase())
}

struct Reader<'a> {
    output: &'a [u8],
    plan: &'a ReadingPlan,
    messages: &'a Messages,
    complete: bool,
    reading: &'a mut Reading,
}

impl<'a> Reader<'a> {
    fn all(&mut self) {
        let mut at = 0;
        loop {
            while self.output.get(at).is_some_and(u8::is_ascii_whitespace) {
                at += 1;
            }
            if at >= self.output.len() {
                return;
            }
            at = self.item(at);
        }
    }

    /// Reads one item and returns where the next may start.
    fn item(&mut self, at: usize) -> usize {
        if let Some(end) = self.echo(at) {
            self.reading.step += 1;
            return end;
        }
        match self.output[at] {
            b'(' | b'"' => match sexp::end_of(self.output, at) {
                Some(end) => {
                    self.expression(&self.output[at..end]);
                    end
                }
                None => {
                    self.reading.unfinished = true;
                    self.stray(&self.output[at..]);
                    self.output.len()
                }
            },
            _ => self.line(at),
        }
    }

    /// If an echo is expected and its text is here as a separate line: where it ends.
    fn echo(&self, at: usize) -> Option<usize> {
        let Some(Step::Echo(text)) = self.plan.steps.get(self.reading.step) else { return None };
        let rest = &self.output[at..];
        let quoted = [b"\"", &text[..], b"\""].concat();
        let doubled = [b"\"".to_vec(), double_quotes(text), b"\"".to_vec()].concat();
        // Blanks before a bare text have been skipped already.
        let bare = text.trim_ascii_start();
        let ends = |n: usize| matches!(rest.get(n), None | Some(b'\n' | b'\r'));
        [&quoted[..], &doubled, bare]
            .into_iter()
            .find(|t| !t.is_empty() && rest.starts_with(t) && ends(t.len()))
            .map(|t| at + t.len())
    }

    fn line(&mut self, at: usize) -> usize {
        let end = sexp::line_end(self.output, at);
        let whole = end < self.output.len() || self.complete;
        let line = self.output[at..end].trim_ascii();
        let alone = self.output[..at].iter().rev().take_while(|&&b| b != b'\n').all(u8::is_ascii_whitespace);
        match line {
            b"success" => {}
            b"unsupported" if alone => self.unsupported(),
            _ => match Answer::from_word(line) {
                Some(_) if !whole => {
                    self.reading.unfinished = true;
                    self.stray(line);
                }
                Some(answer) if alone => self.answer(answer),
                None if alone && whole => match unknown_because(line) {
                    Some(reason) => self.unknown(reason),
                    None => self.other(line),
                },
                _ => self.other(line),
            },
        }
        end
    }

    /// An unknown with its reason.
    fn unknown(&mut self, reason: String) {
        self.answer(Answer::Unknown);
        if let Some(check) = self.reading.checks.last_mut() {
            check.reason.get_or_insert(reason);
        }
    }

    /// A line that is neither an answer nor a known word: the value of a get-option, or stray.
    fn other(&mut self, line: &[u8]) {
        if let Some(Step::Get { what: Get::Own(_) | Get::Reason, .. }) =
            self.plan.steps.get(self.reading.step)
        {
            self.respond(line);
        } else {
            self.stray(line);
        }
    }

    fn unsupported(&mut self) {
        self.reading.unsupported = true;
        if let Some(Step::Get { adjacent: true, .. }) = self.plan.steps.get(self.reading.step) {
            // No other command can have said so: this request has no response.
            self.reading.step += 1;
            return;
        }
        if self.plan.unusual && self.reading.taint.is_none() {
            self.reading.taint = Some("unsupported".into());
        }
    }

    fn expression(&mut self, text: &[u8]) {
        let mut elements = sexp::elements(text);
        if elements.next() == Some(b"error") {
            let message = elements.next().unwrap_or_default();
            let message = sexp::unquote(message).unwrap_or_else(|| message.to_vec());
            return self.error(String::from_utf8_lossy(&message).into_owned());
        }
        match self.plan.steps.get(self.reading.step) {
            Some(Step::Get { .. }) => self.respond(text),
            _ if self.continues_model(text) => {}
            _ => self.stray(text),
        }
    }

    /// Yices prints a model as several expressions.
    fn continues_model(&mut self, text: &[u8]) -> bool {
        let before = self.reading.step.checked_sub(1).and_then(|i| self.plan.steps.get(i));
        let after_model = matches!(before, Some(Step::Get { what: Get::Model, .. }));
        let head = sexp::elements(text).next().unwrap_or_default();
        let fits = after_model && matches!(head, b"=" | b"define-fun" | b"function");
        let model = self.reading.checks.last_mut().and_then(|c| c.model.as_mut());
        match model.filter(|_| fits) {
            Some(model) => {
                model.push(b'\n');
                model.extend_from_slice(text);
                true
            }
            None => false,
        }
    }

    /// The response to the get-… that is expected.
    fn respond(&mut self, text: &[u8]) {
        let Some(Step::Get { what, .. }) = self.plan.steps.get(self.reading.step) else { return };
        self.reading.step += 1;
        let Some(check) = self.reading.checks.last_mut() else { return };
        let text = text.to_vec();
        match what {
            Get::Model => check.model = Some(text),
            Get::Core => check.core = Some(text),
            Get::Proof => check.proof = Some(text),
            Get::Reason => check.reason = Some(reason(&text)),
            Get::Assumptions => check.assumptions = Some(text),
            Get::Own(number) => check.responses.push(Response { number: *number, text }),
        }
    }

    fn error(&mut self, message: String) {
        if self.messages.ignored.iter().any(|i| message.contains(i.as_str())) {
            return self.stray(message.as_bytes());
        }
        if self.messages.invalid_model.iter().any(|i| message.contains(i.as_str())) {
            // Printed after the answer that it is about; the script itself is fine.
            if let Some(check) = self.reading.checks.last_mut() {
                check.complaint.get_or_insert(message.clone());
            }
            return self.reading.errors.push(message);
        }
        let last = self.reading.checks.last().and_then(|c| c.answer);
        let mistimed = self.messages.harmless.iter().any(|h| message.contains(h.as_str()));
        if let Some(Step::Get { what, adjacent }) = self.plan.steps.get(self.reading.step)
            && (*adjacent || mistimed)
        {
            self.reading.step += 1;
            let right_time = match what {
                Get::Model => last == Some(Answer::Sat),
                Get::Core | Get::Proof | Get::Assumptions => last == Some(Answer::Unsat),
                Get::Reason => last == Some(Answer::Unknown),
                Get::Own(_) => !mistimed,
            };
            if right_time {
                if let Some(check) = self.reading.checks.last_mut() {
                    check.complaint.get_or_insert(message.clone());
                }
                self.reading.errors.push(message);
            }
            return;
        }
        self.reading.errors.push(message.clone());
        self.reading.taint.get_or_insert(message);
    }

    fn answer(&mut self, answer: Answer) {
        // get-… commands that printed nothing may be skipped; an echo always prints.
        let due = self.plan.steps[self.reading.step..]
            .iter()
            .take_while(|s| !matches!(s, Step::Echo(_)))
            .position(|s| *s == Step::Check);
        let Some(skip) = due else {
            self.reading
                .trouble
                .get_or_insert_with(|| format!("`{}` belongs to no check-sat", answer.word()));
            return;
        };
        let passed = &self.plan.steps[self.reading.step..self.reading.step + skip];
        self.reading.misplaced |= passed.iter().any(|s| matches!(s, Step::Get { what: Get::Own(_), .. }));
        self.reading.step += skip + 1;
        let void = self.reading.taint.clone();
        let answer = Some(answer).filter(|_| void.is_none());
        self.reading.checks.push(Check { answer, void, ..Check::default() });
    }

    fn stray(&mut self, text: &[u8]) {
        self.reading.stray.extend_from_slice(text);
        self.reading.stray.push(b'\n');
    }

    /// After the last byte: what is missing, and whether that matters.
    fn settle(&mut self) {
        let r = &mut *self.reading;
        let due = self.plan.steps.iter().filter(|s| **s == Step::Check).count();
        let answered = r.checks.len() - r.settled;
        let missing = due.saturating_sub(answered);
        let rest = self.plan.steps.get(r.step..).unwrap_or_default();
        let echo_due = rest.iter().any(|s| matches!(s, Step::Echo(_)));
        if self.complete && r.taint.is_none() && !r.unfinished && r.trouble.is_none() {
            if missing > 0 {
                r.trouble = Some(format!("{answered} answers to {due} check-sats"));
            } else if echo_due {
                r.trouble = Some("an echo is missing, so answers may belong to it".into());
            }
        }
        // If the output is complete, the counts decide whether an answer belongs to another command.
        if r.misplaced && !(self.complete && r.taint.is_none() && !r.unfinished) {
            r.trouble
                .get_or_insert_with(|| "an answer may belong to the command before its check-sat".into());
        }
        if let Some(trouble) = &r.trouble {
            for check in &mut r.checks {
                check.answer = None;
                check.void = Some(trouble.clone());
            }
        }
        r.settled += due;
        r.checks.resize_with(r.settled, Check::default);
    }
}

fn double_quotes(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &b in text {
        out.push(b);
        if b == b'"' {
            out.push(b);
        }
    }
    out
}

/// The reason in `(:reason-unknown X)`.
fn reason(text: &[u8]) -> String {
    let value = sexp::elements(text).nth(1).unwrap_or(text);
    let value = sexp::unquote(value).unwrap_or_else(|| value.to_vec());
    String::from_utf8_lossy(&value).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    fn read_script(script: &str, output: &[u8], complete: bool) -> Reading {
        let plan = ReadingPlan::of(&Outline::of(script.as_bytes()));
        read(output, &plan, &Profile::named("z3").messages, complete)
    }

    fn answers(script: &str, output: &str) -> Vec<Option<Answer>> {
        read_script(script, output.as_bytes(), true).checks.iter().map(|c| c.answer).collect()
    }

    const SAT: Option<Answer> = Some(Answer::Sat);
    const UNSAT: Option<Answer> = Some(Answer::Unsat);

    #[test]
    fn answers_are_matched_to_check_sats_in_order() {
        assert_eq!(answers("(check-sat)(check-sat)", "sat\nunsat\n"), [SAT, UNSAT]);
        assert_eq!(answers("(check-sat)", "success\nsuccess\nsat"), [SAT]);
        assert_eq!(answers("(check-sat)", "unknown\r\n"), [Some(Answer::Unknown)]);
    }

    #[test]
    fn an_answer_where_another_response_is_expected_counts_only_if_the_counts_match() {
        let script = "(get-timeout-core)(check-sat)";
        assert_eq!(
            read_script(script, b"unsat\n", false).checks[0].answer,
            None,
            "stopped before its answer"
        );
        assert_eq!(answers(script, "unsat\n(error \"x\")\n"), [None], "an error instead of its answer");
        assert_eq!(answers(script, "unsat\nsat\n"), [None], "one word too many");
        assert_eq!(answers(script, "sat\n"), [SAT], "the other command printed nothing");
    }

    #[test]
    fn an_unknown_may_include_its_reason_in_exactly_one_shape() {
        let reading = read_script("(check-sat)", b"unknown (TIMEOUT)\n", true);
        assert_eq!(reading.checks[0].answer, Some(Answer::Unknown));
        assert_eq!(reading.checks[0].reason.as_deref(), Some("timeout"));
        for other in
            ["unknown (sat)\n", "unknown ()\n", "unknown TIMEOUT\n", "sat (TIMEOUT)\n", "x unknown (A)\n"]
        {
            assert_eq!(answers("(check-sat)", other), [None], "{other}");
        }
        assert_eq!(read_script("(check-sat)", b"unknown (TIM", false).checks[0].answer, None);
    }

    #[test]
    fn an_error_before_an_answer_voids_it_and_all_that_follow() {
        let reading =
            read_script("(assert x)(check-sat)(check-sat)", b"(error \"line 1: x\")\nsat\nunsat\n", true);
        assert!(reading.checks.iter().all(|c| c.answer.is_none() && c.void.is_some()));
        assert_eq!(reading.errors, ["line 1: x"]);
    }

    #[test]
    fn an_error_after_an_answer_does_not_void_that_answer() {
        assert_eq!(answers("(check-sat)(assert x)(check-sat)", "sat\n(error \"x\")\nsat\n"), [SAT, None]);
    }

    #[test]
    fn the_word_sat_elsewhere_is_not_an_answer() {
        let script = "(echo \"sat\")(check-sat)(get-model)";
        let output = "sat\nunsat\n(model (define-fun s () String \"\nsat\n\") (define-fun |\nunsat\n| () Bool true))\n";
        assert_eq!(answers(script, output), [UNSAT]);
        assert_eq!(answers(script, "\"sat\"\nunsat\n(error \"model is not available\")\n"), [UNSAT]);
        assert_eq!(answers("(check-sat)", "WARNING: might be sat\n; sat\nunsat\n"), [UNSAT]);
        assert_eq!(answers("(check-sat)", "satisfiable\n"), [None]);
        assert_eq!(answers("(check-sat)", "sat unsat\n"), [None]);
        assert_eq!(answers("(check-sat)", "(sat)\n"), [None]);
        assert_eq!(answers("(check-sat)", "(foo) sat\n"), [None]);
    }

    #[test]
    fn an_echo_that_could_be_an_answer_must_be_there_too() {
        assert_eq!(answers("(check-sat)(echo \"sat\")", "unsat\nsat\n"), [UNSAT]);
        assert_eq!(answers("(check-sat)(echo \"sat\")", "sat\n"), [None], "the only `sat` may be the echo");
        assert_eq!(answers("(echo \"a\nsat\n\")(check-sat)", "a\nsat\n\nunsat\n"), [UNSAT]);
        assert_eq!(answers("(echo \"say \"\"sat\"\"\")(check-sat)", "\"say \"\"sat\"\"\"\nsat\n"), [SAT]);
    }

    #[test]
    fn partial_output_at_a_kill_is_not_an_answer() {
        for output in ["uns", "sat", "unsat"] {
            let reading = read_script("(check-sat)", output.as_bytes(), false);
            assert_eq!(reading.checks[0].answer, None, "{output}");
            assert_eq!(reading.trouble, None);
        }
        let reading = read_script("(check-sat)(check-sat)", b"sat\nuns", false);
        assert_eq!(reading.checks[0].answer, SAT);
        assert_eq!(reading.checks[1].answer, None);
        assert_eq!(reading.stray, b"uns\n");
    }

    #[test]
    fn counts_that_do_not_match_void_everything() {
        let more = read_script("(check-sat)", b"sat\nunsat\n", true);
        assert!(more.trouble.is_some() && more.checks[0].answer.is_none());
        let fewer = read_script("(check-sat)(check-sat)", b"sat\n", true);
        assert!(fewer.trouble.is_some() && fewer.checks.iter().all(|c| c.answer.is_none()));
        let none = read_script("(assert true)", b"sat\n", true);
        assert!(none.trouble.is_some());
    }

    #[test]
    fn a_get_model_at_the_wrong_time_is_expected_and_at_the_right_time_a_complaint() {
        let script = "(check-sat)(get-model)(check-sat)(get-model)";
        let output = b"unsat\n(error \"line 3: model is not available\")\nsat\n(error \"no luck\")\n";
        let reading = read_script(script, output, true);
        assert_eq!(reading.checks[0].answer, UNSAT);
        assert_eq!(reading.checks[1].answer, SAT);
        assert_eq!(reading.checks[1].complaint.as_deref(), Some("no luck"));
        assert_eq!(reading.errors, ["no luck"]);
        let distant = read_script(
            "(check-sat)(assert bad)(get-model)(check-sat)",
            b"sat\n(error \"bad\")\n()\nsat\n",
            true,
        );
        assert_eq!(distant.checks[1].answer, None, "the error may be the assert's");
    }

    #[test]
    fn models_cores_reasons_and_values_reach_their_check() {
        let script = "(check-sat)(get-model)(get-value (x))(check-sat)(get-unsat-core)(check-sat)(get-info :reason-unknown)";
        let output = b"sat\n(\n  (define-fun x () Int 1)\n)\n((x 1))\nunsat\n(a |b c|)\nunknown\n(:reason-unknown \"canceled\")\n";
        let checks = read_script(script, output, true).checks;
        assert_eq!(checks[0].model.as_deref(), Some(&b"(\n  (define-fun x () Int 1)\n)"[..]));
        assert_eq!(checks[0].responses, [Response { number: 0, text: b"((x 1))".to_vec() }]);
        assert_eq!(checks[1].core.as_deref(), Some(&b"(a |b c|)"[..]));
        assert_eq!(checks[2].reason.as_deref(), Some("canceled"));
    }

    #[test]
    fn a_request_without_a_response_leaves_the_others_their_number() {
        let script =
            "(check-sat)(get-assignment)(get-value (x))(get-unsat-assumptions)(check-sat)(get-value (y))";
        let responses = |output: &str| {
            let checks = read_script(script, output.as_bytes(), true).checks;
            checks.iter().map(|c| c.responses.iter().map(|r| r.number).collect()).collect::<Vec<Vec<usize>>>()
        };
        let mistimed = "(error \"unsat assumptions is not available\")";
        let gone = "(error \"model is not available\")";
        for first in ["unsupported".to_owned(), "(error \"no\")".to_owned()] {
            let output = format!("sat\n{first}\n((x 1))\n{mistimed}\nsat\n((y 2))\n");
            assert_eq!(responses(&output), [vec![1], vec![0]], "{output}");
        }
        let output = format!("unsat\n{gone}\n{gone}\n(p (not q))\nsat\n((y 2))\n");
        assert_eq!(responses(&output), [vec![], vec![0]]);
        let checks = read_script(script, output.as_bytes(), true).checks;
        assert_eq!(checks[0].assumptions.as_deref(), Some(&b"(p (not q))"[..]));
        assert_eq!(checks[0].complaint, None);
    }

    #[test]
    fn a_model_in_several_expressions_is_one_model() {
        let reading = read_script("(check-sat)(get-model)", b"sat\n(= x 1)\n(= y 2)\n", true);
        assert_eq!(reading.checks[0].model.as_deref(), Some(&b"(= x 1)\n(= y 2)"[..]));
        assert!(reading.stray.is_empty());
    }

    #[test]
    fn unsupported_matters_only_if_a_command_may_have_been_skipped() {
        assert_eq!(answers("(set-option :foo 1)(check-sat)", "unsupported\nsat\n"), [SAT]);
        assert_eq!(answers("(frobnicate)(check-sat)", "unsupported\nsat\n"), [None]);
    }

    #[test]
    fn a_complaint_about_the_status_annotation_voids_nothing() {
        let output = "unsat\n(error \"line 1 column 83: check annotation that says sat\")\nunsat\n";
        assert_eq!(answers("(set-info :status sat)(check-sat)(check-sat)", output), [UNSAT, UNSAT]);
    }

    #[test]
    fn bytes_of_any_kind_are_kept_as_they_are() {
        let reading = read_script("(check-sat)", b"\xff\x00\x1b[31m\nsat\n", true);
        assert_eq!(reading.checks[0].answer, SAT);
        assert_eq!(reading.stray, b"\xff\x00\x1b[31m\n");
    }

    #[test]
    fn output_that_never_closes_gives_no_answer() {
        let reading = read_script("(check-sat)", b"(oops\nsat\n", true);
        assert_eq!(reading.checks[0].answer, None);
        assert!(reading.unfinished);
    }
}
