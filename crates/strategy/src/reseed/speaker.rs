//! Writes a seed differently: draws the moves and writes the script in one pass over its bytes.

use super::Move;
use super::wording::{Part, Piece, Spot, Twist, Wording};
use crate::{At, Draft, Prepared, Relation, Rng, Role};

/// Writes a seed differently.
pub(super) struct Speaker<'a> {
    prepared: &'a Prepared,
    wording: &'a Wording,
    out: Vec<u8>,
    todo: Vec<Todo>,
    children: Vec<u32>,
    order: Vec<u32>,
    /// The new number of each symbol.
    renamed: Vec<u32>,
    chosen: Vec<Move>,
    /// How many of eight terms that can be rewritten are rewritten.
    twists: usize,
    /// Random bits that have not been used yet.
    bits: u64,
    /// Number of names that are assumptions.
    assumed: u32,
}

/// What remains to be written, in reverse order.
#[derive(Clone, Copy)]
enum Todo {
    Bytes(u32, u32),
    Spot(u32),
}

impl<'a> Speaker<'a> {
    pub(super) fn new(prepared: &'a Prepared, wording: &'a Wording) -> Speaker<'a> {
        Speaker {
            prepared,
            wording,
            out: vec![],
            todo: vec![],
            children: vec![],
            order: vec![],
            renamed: (0..wording.names as u32).collect(),
            chosen: vec![],
            twists: 4,
            bits: 0,
            assumed: 0,
        }
    }

    pub(super) fn draft(&mut self, rng: &mut Rng) -> Draft {
        self.choose(rng);
        let script = self.speak(rng);
        let rules = self.chosen.iter().map(|chosen| chosen.name().to_owned());
        let mut draft = Draft::of(script).seeds([self.prepared.seed.id]).rules(rules);
        draft.ask(Role::Before, self.prepared.printed.bytes.clone());
        for check in 0..self.wording.checks {
            let (formula, before) = (At { question: 0, check }, At { question: 1, check });
            draft.relations.push(Relation::SameAnswer(before, formula));
            draft.relations.push(Relation::ShouldDecide(before, formula));
        }
        draft.expecting(self.wording.claims.clone())
    }

    /// Draws the moves: at least one, and each further one with probability 1/2, or 1/16 for a random seed.
    fn choose(&mut self, rng: &mut Rng) {
        self.chosen.clear();
        let sure = rng.below(self.wording.moves.len().max(1));
        for (n, &found) in self.wording.moves.iter().enumerate() {
            // An option needs a process of its own, which costs as much as ten cases in a live one.
            let rarely = if found == Move::Seed { 16 } else { 2 };
            if n == sure || rng.chance(1, rarely) {
                self.chosen.push(found);
            }
        }
        self.twists = [1, 4, 8][rng.below(3)];
        if self.chosen.contains(&Move::Rename) {
            shuffle(&mut self.renamed, rng);
        }
    }

    fn does(&self, wanted: Move) -> bool {
        self.chosen.contains(&wanted)
    }

    fn speak(&mut self, rng: &mut Rng) -> Vec<u8> {
        let printed = &self.prepared.printed;
        self.out = Vec::with_capacity(printed.bytes.len() + 512);
        self.assumed = 0;
        let commands = self.wording.parts.len();
        let head = printed.commands.first().map_or(printed.bytes.len(), |&start| start as usize);
        self.out.extend_from_slice(&printed.bytes[..head]);
        if self.does(Move::Seed) {
            self.out
                .extend_from_slice(format!("(set-option :random-seed {})\n", rng.below(1 << 16)).as_bytes());
        }
        let mut at = 0;
        while at < commands {
            match self.wording.parts[at] {
                Part::Assert | Part::Declaration => at = self.segment(at, rng),
                Part::Check if self.assumed > 0 => {
                    self.check_assuming();
                    at += 1;
                }
                Part::Check | Part::Barrier => {
                    self.command(at, rng);
                    at += 1;
                }
            }
        }
        std::mem::take(&mut self.out)
    }

    /// Assertions and declarations up to the next other command.
    fn segment(&mut self, from: usize, rng: &mut Rng) -> usize {
        let parts = &self.wording.parts;
        let length =
            parts[from..].iter().take_while(|part| matches!(part, Part::Assert | Part::Declaration)).count();
        let end = from + length;
        if !self.does(Move::Shuffle) {
            for n in from..end {
                self.statement(n, rng);
            }
            return end;
        }
        for n in (from..end).filter(|&n| parts[n] == Part::Declaration) {
            self.command(n, rng);
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((from..end).filter(|&n| parts[n] == Part::Assert).map(|n| n as u32));
        shuffle(&mut order, rng);
        for &n in &order {
            self.statement(n as usize, rng);
        }
        self.order = order;
        end
    }

    /// Writes an assertion or a declaration. An assertion may open a scope, follow a popped one, or become an
    /// assumption.
    fn statement(&mut self, n: usize, rng: &mut Rng) {
        if self.wording.parts[n] == Part::Declaration {
            return self.command(n, rng);
        }
        if self.does(Move::Push) && rng.chance(1, 4) {
            self.out.extend_from_slice(b"(push 1)\n");
        }
        if self.does(Move::Detour) && rng.chance(1, 8) {
            self.out.extend_from_slice(b"(push 1)\n");
            self.wrapped(n, b"(assert (not ", b"))\n", rng);
            self.out.extend_from_slice(b"(pop 1)\n");
        }
        if self.does(Move::Assume) && rng.chance(1, 4) {
            self.assumed += 1;
            let name = format!("{}-a{}", self.wording.prefix, self.assumed);
            self.out.extend_from_slice(format!("(declare-const {name} Bool)\n").as_bytes());
            return self.wrapped(n, format!("(assert (=> {name} ").as_bytes(), b"))\n", rng);
        }
        self.command(n, rng);
    }

    fn check_assuming(&mut self) {
        self.out.extend_from_slice(b"(check-sat-assuming (");
        for n in 1..=self.assumed {
            let blank = if n > 1 { " " } else { "" };
            self.out.extend_from_slice(format!("{blank}{}-a{n}", self.wording.prefix).as_bytes());
        }
        self.out.extend_from_slice(b"))\n");
    }

    /// Writes the term of an assertion between two texts.
    fn wrapped(&mut self, n: usize, before: &[u8], after: &[u8], rng: &mut Rng) {
        self.out.extend_from_slice(before);
        if let Some(&Piece::Term(root)) = self.wording.pieces.get(self.wording.first_piece[n] as usize) {
            self.term(root, rng);
        }
        self.out.extend_from_slice(after);
    }

    fn command(&mut self, n: usize, rng: &mut Rng) {
        let (printed, wording) = (&self.prepared.printed, self.wording);
        let mut at = printed.commands[n];
        let end = printed.commands.get(n + 1).map_or(printed.bytes.len() as u32, |&next| next);
        for piece in &wording.pieces[wording.first_piece[n] as usize..wording.first_piece[n + 1] as usize] {
            match *piece {
                Piece::Term(root) => {
                    let spot = wording.spots[root as usize];
                    self.copy(at, spot.start);
                    self.term(root, rng);
                    at = spot.end;
                }
                Piece::Name(start, stop, name) => {
                    self.copy(at, start);
                    self.name(name, start, stop);
                    at = stop;
                }
            }
        }
        self.copy(at, end);
    }

    fn copy(&mut self, start: u32, end: u32) {
        self.out.extend_from_slice(&self.prepared.printed.bytes[start as usize..end as usize]);
    }

    fn name(&mut self, name: u32, start: u32, end: u32) {
        if !self.does(Move::Rename) {
            return self.copy(start, end);
        }
        self.out.extend_from_slice(self.wording.prefix.as_bytes());
        let (mut digits, mut at, mut rest) = ([0u8; 10], 10, self.renamed[name as usize]);
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.out.extend_from_slice(&digits[at..]);
    }

    /// Writes a term. Pending work is kept on an explicit stack, so terms of any depth can be written.
    fn term(&mut self, root: u32, rng: &mut Rng) {
        self.todo.push(Todo::Spot(root));
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Bytes(start, end) => self.copy(start, end),
                Todo::Spot(n) => self.spot(n, rng),
            }
        }
    }

    fn spot(&mut self, n: u32, rng: &mut Rng) {
        let spot = self.wording.spots[n as usize];
        if spot.plain {
            return self.copy(spot.start, spot.end);
        }
        self.children.clear();
        let mut child = n + 1;
        while child < n + spot.size {
            self.children.push(child);
            child += self.wording.spots[child as usize].size;
        }
        let twisted = self.does(Move::Notation) && self.bit(rng);
        let first = self.children.first().map_or(spot.end, |&first| self.wording.spots[first as usize].start);
        match spot.twist {
            Twist::Name(name) => {
                self.copy(spot.start, spot.head_start);
                self.name(name, spot.head_start, spot.head_end);
                self.copy(spot.head_end, first);
            }
            Twist::Reverse(other) if twisted => {
                self.copy(spot.start, spot.head_start);
                self.out.extend_from_slice(other.as_bytes());
                self.copy(spot.head_end, first);
            }
            _ => self.copy(spot.start, first),
        }
        self.push_children(&spot, twisted, rng);
    }

    /// Pushes the children on the stack in their new order. The text between them stays in place.
    fn push_children(&mut self, spot: &Spot, twisted: bool, rng: &mut Rng) {
        let spots = &self.wording.spots;
        let Some(&last) = self.children.last() else { return };
        self.todo.push(Todo::Bytes(spots[last as usize].end, spot.end));
        let from = self.todo.len();
        for (n, &child) in self.children.iter().enumerate().rev() {
            self.todo.push(Todo::Spot(child));
            if n > 0 {
                let before = spots[self.children[n - 1] as usize];
                self.todo.push(Todo::Bytes(before.end, spots[child as usize].start));
            }
        }
        if !twisted || spot.twist == Twist::None {
            return;
        }
        // Children are every second entry; the gaps between them stay.
        let count = self.children.len();
        match spot.twist {
            Twist::Reverse(_) => {
                (0..count / 2).for_each(|n| self.todo.swap(from + 2 * n, from + 2 * (count - 1 - n)))
            }
            Twist::Commute => {
                for n in (1..count).rev() {
                    self.todo.swap(from + 2 * n, from + 2 * rng.below(n + 1));
                }
            }
            Twist::None | Twist::Name(_) => {}
        }
    }

    /// Whether the next term is rewritten.
    fn bit(&mut self, rng: &mut Rng) -> bool {
        if self.bits < 8 {
            self.bits = rng.bits() | 1 << 63;
        }
        let drawn = (self.bits & 7) as usize;
        self.bits >>= 3;
        drawn < self.twists
    }
}

fn shuffle(items: &mut [u32], rng: &mut Rng) {
    for n in (1..items.len()).rev() {
        items.swap(n, rng.below(n + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bank, CampaignKey};
    use corpus::{Origin, Seed};
    use rustc_hash::FxHashSet;

    fn said(text: &str, moves: &[Move], unit: u64) -> String {
        let seed = Seed::new("s".into(), Origin::Embedded, text.as_bytes().to_vec().into()).unwrap();
        let (bank, _) = Bank::new([seed]);
        let prepared = bank.seeds()[0].clone();
        let mut wording = Wording::of(&prepared, &Move::ALL);
        wording.moves.retain(|found| moves.contains(found));
        let mut speaker = Speaker::new(&prepared, &wording);
        let mut rng = Rng::of(&CampaignKey("k".into()), "reseed", unit);
        speaker.choose(&mut rng);
        speaker.chosen = wording.moves.clone();
        speaker.twists = 8;
        String::from_utf8(speaker.speak(&mut rng)).unwrap()
    }

    const SEED: &str = "(set-logic QF_UFLIA)\n(declare-fun x () Int)\n(declare-fun |a b| (Int) Int)\n\
        (assert (< x 1))\n(assert (= (|a b| x) (+ x 2 3)))\n(check-sat)\n(get-model)\n";

    #[test]
    fn without_a_move_the_text_is_unchanged() {
        assert_eq!(said(SEED, &[], 0), SEED);
    }

    #[test]
    fn a_symbol_is_renamed_wherever_it_occurs() {
        let text = said(SEED, &[Move::Rename], 0);
        assert!(!text.contains("a b") && !text.contains(" x"), "{text}");
        assert_eq!(text.matches("fresh").count(), 6, "{text}");
    }

    #[test]
    fn a_comparison_is_reversed_together_with_its_arguments() {
        let text = said(SEED, &[Move::Notation], 0);
        assert!(text.contains("(> 1 x)"), "{text}");
        let seen: FxHashSet<String> = (0..40).map(|unit| said(SEED, &[Move::Notation], unit)).collect();
        assert_eq!(seen.len(), 12, "two orders of =, six of +");
    }

    #[test]
    fn an_assumption_replaces_its_assertion_at_every_check() {
        let text =
            (0..20).map(|unit| said(SEED, &[Move::Assume], unit)).find(|text| text.contains("=>")).unwrap();
        assert!(
            text.contains("(assert (=> fresh-a1 ") && text.contains("(check-sat-assuming (fresh-a1"),
            "{text}"
        );
    }

    #[test]
    fn a_popped_assertion_is_popped_before_the_check() {
        let text =
            (0..40).map(|unit| said(SEED, &[Move::Detour], unit)).find(|text| text.contains("push")).unwrap();
        assert!(text.contains("(push 1)\n(assert (not ") && text.contains("(pop 1)\n(assert "), "{text}");
        assert_eq!(text.matches("(assert ").count(), 2 + text.matches("(push 1)").count());
    }

    #[test]
    fn moves_with_unclear_effects_are_not_used() {
        let moves = |text: &str| {
            let seed = Seed::new("s".into(), Origin::Embedded, text.as_bytes().to_vec().into()).unwrap();
            Wording::of(&Bank::new([seed]).0.seeds()[0], &Move::ALL).moves
        };
        let scoped =
            moves("(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat)");
        assert!(!scoped.contains(&Move::Push) && !scoped.contains(&Move::Assume));
        let named = moves("(declare-const p Bool)(assert (! p :named n))(assert (not n))(check-sat)");
        assert!(!named.contains(&Move::Shuffle));
    }
}
