//! What is to be done about the shards of a campaign: wait, start again, give up, merge.
//!
//! In: what the folder says about every shard, and which of them the scheduler still has. Out: decisions. This file knows no
//! scheduler and starts nothing, so all of it can be tested with numbers.

use super::shard::{Outcome, ShardResult};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How often in a row a shard must be missing before it counts as lost: a scheduler and a file system are not one.
const PATIENCE: u32 = 3;

/// How often a shard that ended early is started again without a further case.
const IDLE_STARTS: u32 = 3;

/// What is remembered of a shard between two looks, also by another run of the watcher.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// It was lost and started again once.
    pub restarted: bool,
    /// Its cases when it was started again after it had ended early, and how often that number did not grow.
    pub cases: u64,
    pub idle_starts: u32,
    /// It is given up, for this reason.
    pub given_up: Option<String>,
    /// Its folder is in the merge.
    pub merged: bool,
    #[serde(skip)]
    missing: u32,
}

/// What is seen of a shard at one look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub result: Option<ShardResult>,
    /// The scheduler has it, waiting or running.
    pub queued: bool,
    pub cases: u64,
}

/// What to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Todo {
    /// Shards to start again.
    pub start: BTreeSet<u64>,
    /// Of these, shards that were lost.
    pub lost: BTreeSet<u64>,
    /// Shards that were given up just now, and why.
    pub given_up: BTreeMap<u64, String>,
    /// Shards that are done and not merged.
    pub merge: BTreeSet<u64>,
    /// Nothing more will come.
    pub over: bool,
}

/// Decides about all shards.
pub fn decide(seen: &BTreeMap<u64, Seen>, memory: &mut BTreeMap<u64, Memory>) -> Todo {
    let mut todo = Todo { over: true, ..Todo::default() };
    for (&shard, &seen) in seen {
        let memory = memory.entry(shard).or_default();
        if memory.given_up.is_some() {
            continue;
        }
        match seen.result.map(|result| result.outcome) {
            Some(Outcome::Done) => {
                if !memory.merged {
                    todo.merge.insert(shard);
                }
                continue;
            }
            // A scheduler that requeues it needs no help.
            _ if seen.queued => memory.missing = 0,
            Some(Outcome::Again) => again(shard, seen, memory, &mut todo),
            Some(Outcome::Failed) => {
                let code = seen.result.map_or(0, |result| result.code);
                lost(shard, format!("it ended with exit code {code}"), memory, &mut todo);
            }
            None => {
                memory.missing += 1;
                if memory.missing >= PATIENCE {
                    lost(shard, "it is gone without a result".to_owned(), memory, &mut todo);
                }
            }
        }
        todo.over &= memory.given_up.is_some();
    }
    todo
}

/// A shard that ended early goes on as long as it makes progress.
fn again(shard: u64, seen: Seen, memory: &mut Memory, todo: &mut Todo) {
    memory.idle_starts = if seen.cases > memory.cases { 0 } else { memory.idle_starts + 1 };
    memory.cases = seen.cases;
    if memory.idle_starts > IDLE_STARTS {
        let why = format!("it ended early {} times without a new case", memory.idle_starts);
        todo.given_up.insert(shard, why.clone());
        memory.given_up = Some(why);
    } else {
        todo.start.insert(shard);
    }
}

/// A lost shard is started again once.
fn lost(shard: u64, why: String, memory: &mut Memory, todo: &mut Todo) {
    memory.missing = 0;
    if std::mem::replace(&mut memory.restarted, true) {
        let why = format!("{why}, for the second time");
        todo.given_up.insert(shard, why.clone());
        memory.given_up = Some(why);
    } else {
        todo.start.insert(shard);
        todo.lost.insert(shard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(outcome: Outcome) -> Option<ShardResult> {
        Some(ShardResult { outcome, code: 1 })
    }

    /// Looks at one shard again and again.
    fn look(memory: &mut BTreeMap<u64, Memory>, seen: Seen) -> Todo {
        decide(&BTreeMap::from([(3, seen)]), memory)
    }

    #[test]
    fn a_shard_that_vanishes_is_started_again_once_and_then_given_up() {
        let mut memory = BTreeMap::new();
        let (queued, gone) = (Seen { queued: true, ..Seen::default() }, Seen::default());
        assert_eq!(look(&mut memory, queued), Todo::default());
        let first: Vec<usize> = (0..PATIENCE).map(|_| look(&mut memory, gone).lost.len()).collect();
        assert_eq!(first, [0, 0, 1]);
        look(&mut memory, queued);
        let second: Vec<Todo> = (0..PATIENCE).map(|_| look(&mut memory, gone)).collect();
        assert!(second[..2].iter().all(|todo| *todo == Todo::default()));
        assert!(second[2].given_up.contains_key(&3) && second[2].start.is_empty() && second[2].over);
        assert!(look(&mut memory, gone).over);
    }

    #[test]
    fn a_shard_that_ended_early_goes_on_while_it_makes_cases() {
        let mut memory = BTreeMap::new();
        for cases in 1..20 {
            let seen = Seen { result: result(Outcome::Again), queued: false, cases };
            assert_eq!(look(&mut memory, seen).start, BTreeSet::from([3]));
            // A scheduler that requeues by itself is left alone.
            assert_eq!(look(&mut memory, Seen { queued: true, ..seen }).start, BTreeSet::new());
        }
        let idle = Seen { result: result(Outcome::Again), queued: false, cases: 19 };
        let starts: Vec<usize> = (0..5).map(|_| look(&mut memory, idle).start.len()).collect();
        assert_eq!(starts, [1, 1, 1, 0, 0]);
    }

    #[test]
    fn shards_are_merged_once_and_the_watch_ends_when_all_are_done_or_given_up() {
        let mut memory = BTreeMap::new();
        let done = Seen { result: result(Outcome::Done), queued: false, cases: 9 };
        let failed = Seen { result: result(Outcome::Failed), ..Seen::default() };
        let both =
            |memory: &mut BTreeMap<u64, Memory>| decide(&BTreeMap::from([(0, done), (1, failed)]), memory);
        let todo = both(&mut memory);
        assert_eq!((todo.merge, todo.lost, todo.over), (BTreeSet::from([0]), BTreeSet::from([1]), false));
        memory.entry(0).or_default().merged = true;
        let todo = both(&mut memory);
        assert!(todo.merge.is_empty() && todo.over && todo.given_up[&1].contains("exit code 1"), "{todo:?}");
    }
}
