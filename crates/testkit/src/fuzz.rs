//! Fuzzing of our own code, on the stable toolchain and inside the ordinary tests.
//!
//! A target is a function from bytes to a word that says what came of them ("parsed, 3 assertions", "error: depth"). It
//! fails by panicking, by using more processor time than it may, or by not coming back. Inputs are made from the
//! corpus by a few mutations that know text, brackets, numbers and a dictionary; an input whose word is new joins the
//! corpus. There is no instrumentation: the word takes the place of coverage, so a target should say a lot.
//!
//! Without anything set, a target runs a few hundred inputs, always the same, so that it cannot rot. With
//! `FALSUM_FUZZ_SECONDS` (see `fuzz/run`) it runs that long, begins with `fuzz/corpus/NAME`, adds to it, and writes
//! what fails to `fuzz/failures/NAME`.

use crate::SplitMix;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Inputs of a run without a given time.
const QUICK: u64 = 300;

/// Inputs longer than this say little that shorter ones do not.
const MOST_BYTES: usize = 8 << 10;

/// More than this does not help, and is read again each time.
const MOST_KEPT: usize = 4_000;

/// No input may take longer, whatever the machine does besides.
const HANGS: Duration = Duration::from_secs(120);

/// What to fuzz.
pub struct Fuzz<'a> {
    pub name: &'a str,
    /// Inputs to begin with.
    pub seeds: Vec<Vec<u8>>,
    /// Words that inputs are made of.
    pub dictionary: &'a [&'a str],
    /// The most processor time that one input may take.
    pub most: Duration,
}

impl Fuzz<'_> {
    /// Runs the target for the time there is.
    ///
    /// # Panics
    /// If an input fails; it is shown, and in a long run kept.
    pub fn run(self, target: impl Fn(&[u8]) -> String) {
        let seconds = std::env::var("FALSUM_FUZZ_SECONDS").ok().and_then(|text| text.parse::<u64>().ok());
        let folder = seconds.map(|_| root());
        let mut campaign = Campaign::new(&self, folder.as_deref(), seconds.is_some());
        let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let began = Instant::now();
        let watched = folder.as_deref().map(|folder| watch(folder, self.name));
        let most = if until.is_some() { u64::MAX } else { QUICK };
        let mut worst = Duration::ZERO;
        let mut executed = 0;
        while executed < most && until.is_none_or(|until| Instant::now() < until) {
            let input = campaign.next(executed as usize);
            if let Some(watched) = &watched {
                *watched.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some((Instant::now(), input.clone()));
            }
            let before = processor_time();
            let word = catch_unwind(AssertUnwindSafe(|| target(&input)));
            let took = processor_time().saturating_sub(before);
            executed += 1;
            worst = worst.max(took);
            match word {
                Ok(word) if took <= self.most => campaign.learn(&word, input),
                Ok(_) => campaign.fail(&input, &format!("it took {} ms", took.as_millis())),
                Err(_) => campaign.fail(&input, "it panicked"),
            }
        }
        if let Some(watched) = &watched {
            *watched.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        say(&format!(
            "fuzz {}: {executed} executions in {} s, {} inputs kept of which {} are new, {} words, worst {} ms",
            self.name,
            began.elapsed().as_secs(),
            campaign.inputs.len(),
            campaign.new,
            campaign.words.len(),
            worst.as_millis()
        ));
    }
}

/// Past the capture of the harness.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The folder `fuzz` of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The input that is being tried, and since when.
type Watched = Mutex<Option<(Instant, Vec<u8>)>>;

/// Ends the program when an input does not come back, and keeps the input.
fn watch(folder: &Path, name: &str) -> Arc<Watched> {
    let watched: Arc<Watched> = Arc::default();
    let (shared, folder, name) = (Arc::clone(&watched), folder.to_owned(), name.to_owned());
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let now = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, input)) = now.as_ref().filter(|(began, _)| began.elapsed() > HANGS) {
                let path = keep(&folder.join("failures").join(&name), input);
                say(&format!("fuzz {name}: {} does not come back", path.display()));
                std::process::exit(101);
            }
        }
    });
    watched
}

/// The processor time of this thread: on a busy machine it says more than the clock on the wall.
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Writes an input under its hash.
fn keep(folder: &Path, input: &[u8]) -> PathBuf {
    let path = folder.join(format!("{:016x}", hash(input)));
    let _ = std::fs::create_dir_all(folder);
    let _ = std::fs::write(&path, input);
    path
}

/// Inputs and what they did.
struct Campaign<'a> {
    name: &'a str,
    dictionary: &'a [&'a str],
    inputs: Vec<Vec<u8>>,
    /// How many inputs there were at the beginning.
    given: usize,
    words: BTreeSet<u64>,
    new: usize,
    folder: Option<&'a Path>,
    rng: SplitMix,
}

impl<'a> Campaign<'a> {
    fn new(fuzz: &'a Fuzz<'_>, folder: Option<&'a Path>, long: bool) -> Campaign<'a> {
        let mut inputs = fuzz.seeds.clone();
        let corpus = folder.map(|folder| folder.join("corpus").join(fuzz.name));
        for entry in corpus.into_iter().flat_map(std::fs::read_dir).flatten().flatten().take(MOST_KEPT) {
            inputs.extend(std::fs::read(entry.path()));
        }
        inputs.retain(|input| input.len() <= MOST_BYTES);
        if inputs.is_empty() {
            inputs.push(vec![]);
        }
        if !long {
            let each = inputs.len().div_ceil(QUICK as usize / 4);
            inputs = inputs.into_iter().step_by(each).collect();
        }
        // A long run begins somewhere else each time; a quick one is always the same.
        let seed = if long { hash(format!("{:?}", std::time::SystemTime::now()).as_bytes()) } else { 1 };
        let (name, dictionary, given) = (fuzz.name, fuzz.dictionary, inputs.len());
        Campaign {
            name,
            dictionary,
            inputs,
            given,
            words: BTreeSet::new(),
            new: 0,
            folder,
            rng: SplitMix(seed),
        }
    }

    fn learn(&mut self, word: &str, input: Vec<u8>) {
        if self.words.insert(hash(word.as_bytes()))
            && !self.inputs.contains(&input)
            && self.inputs.len() < MOST_KEPT
        {
            if let Some(folder) = self.folder {
                keep(&folder.join("corpus").join(self.name), &input);
            }
            self.inputs.push(input);
            self.new += 1;
        }
    }

    fn fail(&self, input: &[u8], why: &str) {
        let kept = self.folder.map(|folder| keep(&folder.join("failures").join(self.name), input));
        panic!("fuzz {}: {why} on {kept:?}:\n{}", self.name, String::from_utf8_lossy(input));
    }

    /// Every input as it is, in turn with mutants; then mutants only.
    fn next(&mut self, number: usize) -> Vec<u8> {
        if let Some(input) =
            self.inputs.get(number / 2).filter(|_| number.is_multiple_of(2) && number / 2 < self.given)
        {
            return input.clone();
        }
        let mut input = self.any_input();
        for _ in 0..=self.below(4) {
            self.mutate(&mut input);
        }
        input.truncate(MOST_BYTES);
        input
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n.max(1) as u64) as usize
    }

    fn any_input(&mut self) -> Vec<u8> {
        let at = self.below(self.inputs.len());
        self.inputs[at].clone()
    }

    /// A piece of an input: some bytes, or a whole bracket.
    fn piece(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(input.len() + 1);
        if self.below(3) > 0
            && let Some(open) = input[start..].iter().position(|&byte| byte == b'(').map(|at| start + at)
        {
            let mut depth = 0usize;
            for (at, byte) in input.iter().enumerate().skip(open) {
                match byte {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    return open..at + 1;
                }
            }
        }
        let length = self.below(24).min(input.len() - start);
        start..start + length
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let piece = self.piece(input);
        match self.below(8) {
            0 => drop(input.drain(piece)),
            1 => {
                let copy = input[piece.clone()].to_vec();
                input.splice(piece.end..piece.end, copy);
            }
            2 => {
                let other = self.any_input();
                let from = self.piece(&other);
                input.splice(piece, other[from].to_vec());
            }
            3 | 4 => {
                let (word, at) = (self.word(), piece.start);
                let end = if self.below(2) == 0 { piece.end } else { at };
                input.splice(at..end, word);
            }
            5 => {
                let flip = 1u8 << self.below(8);
                if let Some(byte) = input.get_mut(piece.start) {
                    *byte ^= flip;
                }
            }
            6 => {
                let other = self.piece(input);
                let copy = input[other].to_vec();
                input.splice(piece, copy);
            }
            _ => {
                let byte = self.below(256) as u8;
                input.insert(piece.start, byte);
            }
        }
    }

    /// A word of the dictionary, or a number that is at some edge.
    fn word(&mut self) -> Vec<u8> {
        const NUMBERS: [&str; 12] = [
            "0",
            "1",
            "2",
            "65535",
            "4294967295",
            "4294967296",
            "18446744073709551615",
            "18446744073709551616",
            "99999999999999999999999999999999",
            "0.5",
            "1e9",
            "-1",
        ];
        if self.dictionary.is_empty() || self.below(4) == 0 {
            return NUMBERS[self.below(NUMBERS.len())].into();
        }
        let at = self.below(self.dictionary.len());
        [b" ", self.dictionary[at].as_bytes(), b" "].concat()
    }
}
