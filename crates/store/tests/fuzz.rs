//! Fuzzing of campaign folders made by another user: any file of a shard is replaced or patched, and the shard is read,
//! merged and verified. Nothing panics, and nothing outside of the output is written.
//!
//! An input is a path in the shard, a line with `all` or an offset, and bytes.

mod sample;

use sample::{batch, campaign, finding};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{NewPanic, NewUnconfirmed, Shard, Store};
use testkit::Fuzz;

fn shard(dir: &Path, index: u64) -> PathBuf {
    let at = dir.join(format!("shard-{index}"));
    let mut store = Store::create(&at, &campaign().sharded(Shard { index, count: 2 })).expect("created");
    store.commit(&batch([index])).expect("kept");
    store.add_finding(&finding(7, 1)).expect("added");
    store
        .add_panic(&NewPanic { place: "oracle".into(), message: "x".into(), ..NewPanic::default() })
        .expect("added");
    let about = serde_json::json!({"kind": "crash", "suspected": ["z3"], "rate": {"shown": 1, "runs": 20}});
    let new = NewUnconfirmed { script: sample::script(3), session: None, replies: vec![], about };
    store.keep_unconfirmed(&new).expect("kept");
    store.finish().expect("finished");
    at
}

fn files(below: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("entry").path();
        match path.is_dir() {
            true => files(below, &path, found),
            false => found.push(path.strip_prefix(below).expect("below").to_owned()),
        }
    }
}

fn copy(from: &Path, to: &Path) {
    let mut all = vec![];
    files(from, from, &mut all);
    for file in all {
        fs::create_dir_all(to.join(&file).parent().expect("a folder")).expect("made");
        fs::copy(from.join(&file), to.join(&file)).expect("copied");
    }
}

/// Changes a file of the shard as the input says; a path that leads out is not followed.
fn change(shard: &Path, input: &[u8]) -> Option<()> {
    let mut parts = input.splitn(3, |&byte| byte == b'\n');
    let path = PathBuf::from(String::from_utf8(parts.next()?.to_vec()).ok()?);
    let (place, bytes) = (parts.next()?, parts.next()?);
    let is_plain = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let path = Some(shard.join(path)).filter(|path| is_plain && path.is_file())?;
    let mut text = fs::read(&path).ok()?;
    match std::str::from_utf8(place).ok()?.trim().parse::<usize>() {
        Ok(offset) => {
            let offset = offset % text.len().max(1);
            let end = (offset + bytes.len()).min(text.len());
            text.splice(offset..end, bytes.iter().copied());
        }
        Err(_) => text = bytes.to_vec(),
    }
    fs::write(path, text).ok()
}

#[test]
fn merge() {
    let dir = sample::folder();
    let template = [shard(dir.path(), 0), shard(dir.path(), 1)];
    let mut all = vec![];
    files(&template[0], &template[0], &mut all);
    all.sort();
    let mut seeds = vec![];
    for file in &all {
        let text = fs::read(template[0].join(file)).expect("read");
        let name = file.to_str().expect("a name");
        if text.len() < 6000 {
            seeds.push([name.as_bytes(), b"\nall\n", &text].concat());
        }
        for offset in [0, 16, 100, 1024, 4096, 8192, 9000] {
            seeds.push([name.as_bytes(), format!("\n{offset}\n").as_bytes(), b"\0\xff"].concat());
        }
    }
    let words =
        ["\"..\"", "\"/etc/passwd\"", "../", "f-0000000000000000", "null", "[]", "{}", "\n100\n", "\nall\n"];
    let fuzz = Fuzz { name: "merge", seeds, dictionary: &words, most: Duration::from_secs(30) };
    fuzz.run(|input| {
        let work = sample::folder();
        let shards = [work.path().join("a"), work.path().join("b")];
        shards.iter().zip(&template).for_each(|(to, from)| copy(from, to));
        if change(&shards[0], input).is_none() {
            return "changes nothing".into();
        }
        let short =
            |text: String| text.chars().filter(|c| !c.is_ascii_hexdigit()).take(80).collect::<String>();
        let read = match Store::read(&shards[0]) {
            Err(error) => short(error.to_string().replace(&*work.path().to_string_lossy(), "")),
            Ok(view) => {
                let findings = view.findings().map_or(0, |findings| {
                    findings.iter().filter(|finding| view.meta(&finding.id).is_ok()).count()
                });
                let rest =
                    (view.bugs().is_ok(), view.status().is_ok(), view.cases().is_ok(), view.flaky().len());
                format!("{findings} {rest:?}")
            }
        };
        let merged = store::merge(&shards, &work.path().join("out"));
        let merged = merged
            .map(|_| ())
            .map_err(|error| short(error.to_string().replace(&*work.path().to_string_lossy(), "")));
        let there: Vec<_> =
            fs::read_dir(work.path()).expect("listed").flatten().map(|e| e.file_name()).collect();
        let ours =
            |name: &std::ffi::OsString| name == "a" || name == "b" || (name == "out" && merged.is_ok());
        assert!(there.iter().all(ours), "{there:?} after {merged:?}");
        let resumed = Store::resume_with(&shards[0], None, store::Options::default()).map(|_| ()).is_ok();
        format!("{read} {merged:?} {resumed}")
    });
}
