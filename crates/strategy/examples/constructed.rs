//! Writes constructed formulas with what is expected of them, one JSON object per line.
//!
//! `constructed STRATEGY PARTS COUNT [KEY]` writes to stdout; with `null` for a fifth argument it writes nothing and says
//! how many formulas one core makes per second of processor time.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for measurements")]

use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::time::Instant;
use strategy::{Bank, CampaignKey, Draft, Ground, Rng, Settings, registry, unheard};

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, name, part, count, rest @ ..] = args.as_slice() else {
        println!("usage: constructed STRATEGY PARTS COUNT [KEY] [null]");
        return Ok(());
    };
    let count: usize = count.parse().unwrap();
    let key = CampaignKey(rest.first().cloned().unwrap_or_else(|| "falsum".to_owned()));
    let part = Some(part.clone()).filter(|part| part != "all");
    let settings = Settings { part, ..Settings::default() };
    let source = (registry::find(name).unwrap().begin)(&Bank::default(), &settings).unwrap();
    let null = rest.get(1).is_some_and(|word| word == "null");
    let mut out = BufWriter::new(io::stdout().lock());
    let (begin, mut made, mut unit, mut barren, mut bytes) = (Instant::now(), 0, 0, 0, 0);
    while made < count && barren < 2_000 {
        let drafts = unheard(&*source, unit, Rng::of(&key, name, unit)).unwrap_or_default();
        barren = if drafts.is_empty() { barren + 1 } else { 0 };
        for draft in drafts.iter().take(count - made) {
            bytes += draft.script().len();
            if !null {
                writeln!(out, "{}", line(draft, unit))?;
            }
            made += 1;
        }
        unit += 1;
    }
    if null {
        writeln!(
            out,
            "{}",
            json!({ "cases": made, "bytes": bytes, "wall_seconds": begin.elapsed().as_secs_f64() })
        )?;
    }
    out.flush()
}

fn line(draft: &Draft, unit: u64) -> serde_json::Value {
    let expects: Vec<_> = draft.questions[0]
        .expects
        .iter()
        .flatten()
        .map(|expect| {
            let core = match &expect.ground {
                Ground::Core { names, .. } => Some(names),
                _ => None,
            };
            let model = match &expect.ground {
                Ground::Model(model) => Some(model),
                _ => None,
            };
            json!({ "answer": expect.answer, "core": core, "model": model, "because": expect.ground.because() })
        })
        .collect();
    json!({
        "unit": unit,
        "rules": draft.rules,
        "script": String::from_utf8_lossy(draft.script()),
        "expects": expects,
    })
}
