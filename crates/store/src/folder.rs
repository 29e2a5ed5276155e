//! `findings/<id>/`: written completely or not at all, and checked when it is read.
//!
//! Everything is written into `.new-<id>`, synced, and renamed. So a folder with a finding's name is complete; if it
//! does not match the hashes in its `meta.json`, it was changed later and is moved to `quarantine/`.

use crate::bug::BugId;
use crate::disk::{Files, sync_folder};
use crate::error::{Error, Result};
use crate::event::now_ms;
use crate::finding::{FindingId, Meta, MetaAnswer, NewFinding, Partner};
use crate::inside::{self, Inside};
use crate::script::run_sh;
use solver::Reply;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const FINDINGS: &str = "findings";
const QUARANTINE: &str = "quarantine";
const META: &str = "meta.json";
const FORMULA: &str = "formula.smt2";
/// How often a finding is written again if its folder disappears while it is written.
const TRIES: u32 = 3;
const PARTIAL: &str = ".new-";
/// Output beyond this is cut in the middle; the runner has usually cut it before.
const MOST_OUTPUT: usize = 1 << 20;

pub(crate) fn path(dir: &Path, id: &FindingId) -> PathBuf {
    dir.join(FINDINGS).join(&id.0)
}

/// Writes the folder of a finding. Afterwards it is on disk under its name.
pub(crate) fn write(dir: &Path, files: &Files, new: &NewFinding, signature: &str) -> Result<Meta> {
    let (meta, contents) = contents(new, signature);
    let all = dir.join(FINDINGS);
    let (partial, last) = (all.join(format!("{PARTIAL}{}", meta.id)), all.join(&meta.id.0));
    let mut tries = 0..TRIES;
    loop {
        match place(files, &partial, &last, &contents) {
            // Another process deletes `findings/` while we write in it.
            Err(Error::Io { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound && tries.next().is_some() => {}
            done => return done.map(|()| meta),
        }
    }
}

/// Writes a folder under a temporary name and renames it.
pub(crate) fn place(
    files: &Files,
    partial: &Path,
    last: &Path,
    contents: &[(String, Vec<u8>)],
) -> Result<()> {
    remove(partial)?;
    let done = fill(files, partial, contents).and_then(|()| {
        // A folder without a row is read back before anything is written, so a folder that is here now and that the
        // database does not have is damaged.
        if last.exists() {
            remove(last)?;
        }
        files.rename(partial, last)
    });
    if done.is_err() {
        let _ = remove(partial);
    }
    done
}

fn fill(files: &Files, folder: &Path, contents: &[(String, Vec<u8>)]) -> Result<()> {
    files.make_folder(folder)?;
    let mut inner: Vec<PathBuf> = Vec::new();
    for (name, bytes) in contents {
        let path = folder.join(name);
        if let Some(parent) = path.parent().filter(|parent| *parent != folder && !parent.exists()) {
            files.make_folder(parent)?;
            inner.push(parent.to_owned());
        }
        let mode = if name == "run.sh" { 0o755 } else { 0o644 };
        files.write(&path, bytes, mode)?;
    }
    inner.iter().try_for_each(|folder| sync_folder(folder))?;
    sync_folder(folder)
}

pub(crate) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(folder, error)),
        _ => Ok(()),
    }
}

fn contents(new: &NewFinding, signature: &str) -> (Meta, Vec<(String, Vec<u8>)>) {
    let accusation = &new.accusation;
    let shown = accusation.at.question;
    let mut contents = vec![
        (FORMULA.to_owned(), new.script().to_vec()),
        ("run.sh".to_owned(), run_sh(accusation, &new.commands).into_bytes()),
    ];
    let mut partners = Vec::new();
    for (number, question) in new.case.questions.iter().enumerate().filter(|(number, _)| *number != shown) {
        let Some(file) = Inside::parse(&format!("question-{number}.smt2")) else { continue };
        contents.push((file.as_str().to_owned(), question.script.text().to_vec()));
        partners.push(Partner { role: question.role.clone(), file });
    }
    let mut answers = Vec::new();
    let replies: Vec<&Reply> = new.replies.iter().filter(|reply| reply.question == shown).collect();
    for (index, reply) in replies.iter().enumerate() {
        let base = format!("outputs/{}", file_name(&reply.target, index, &replies));
        let inside = |ending| Inside::parse(&format!("{base}.{ending}"));
        // The name was sanitised above.
        let (Some(stdout), Some(stderr)) = (inside("out"), inside("err")) else { continue };
        contents.push((stdout.as_str().to_owned(), cut(&reply.stdout())));
        contents.push((stderr.as_str().to_owned(), cut(&reply.stderr)));
        answers.push(MetaAnswer {
            target: reply.target.clone(),
            answer: reply.words(),
            ended: reply.ended.word().to_owned(),
            micros: reply.wall.as_micros() as u64,
            stdout,
            stderr,
        });
    }
    contents.push(("replies.json".to_owned(), crate::bug::json(&new.replies).into_bytes()));
    let sealed = |(name, bytes): &(String, Vec<u8>)| Some((Inside::parse(name)?, hash(bytes)));
    let hashes = contents.iter().filter_map(sealed).collect::<BTreeMap<_, _>>();
    let meta = Meta {
        format: crate::FORMAT,
        id: new.id(),
        bug: BugId::of(signature),
        coarse: BugId::of(&new.signature),
        kind: accusation.kind,
        culprits: accusation.culprits().to_vec(),
        signature: signature.to_owned(),
        check: accusation.at.check,
        truth: accusation.truth,
        evidence: accusation.evidence.clone(),
        symptom: new.symptom.clone(),
        rate: new.rate,
        role: new.question().role.clone(),
        partners,
        relations: new.case.relations.clone(),
        answers,
        expects: new.question().expects.clone(),
        recipe: new.case.recipe.clone(),
        commands: new.commands.clone(),
        found: now_ms(),
        falsum: env!("CARGO_PKG_VERSION").to_owned(),
        bytes: new.script().len() as u64,
        files: hashes,
        seal: String::new(),
    };
    let (meta, text) = meta.sealed();
    contents.push((META.to_owned(), text));
    (meta, contents)
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// A target may have any name; a file may not.
fn file_name(target: &str, index: usize, all: &[&Reply]) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.+@".contains(c);
    let plain: String = target.chars().map(|c| if fits(c) { c } else { '_' }).take(80).collect();
    let alone = all.iter().filter(|other| other.target.eq_ignore_ascii_case(target)).count() == 1;
    if plain == target && alone && !plain.starts_with(['.', '-']) && !plain.is_empty() {
        plain
    } else {
        format!("{index}-{plain}")
    }
}

fn cut(bytes: &[u8]) -> Vec<u8> {
    if bytes.len() <= MOST_OUTPUT {
        return bytes.to_vec();
    }
    let (head, tail) = (&bytes[..MOST_OUTPUT / 2], &bytes[bytes.len() - MOST_OUTPUT / 2..]);
    let note = format!("\n[{} bytes left out]\n", bytes.len() - MOST_OUTPUT);
    [head, note.as_bytes(), tail].concat()
}

/// Reads a folder and checks every file that was written with it.
pub(crate) fn read(folder: &Path) -> Result<Meta> {
    let path = folder.join(META);
    inside::no_link(folder)?;
    let text = inside::read_file(&path)?;
    let meta: Meta = serde_json::from_slice(&text).map_err(|error| Error::damaged(&path, error))?;
    if meta.format > crate::FORMAT {
        return Err(Error::Newer { path, found: meta.format, known: crate::FORMAT });
    }
    if !meta.is_whole() {
        return Err(Error::damaged(&path, "it does not match its checksum"));
    }
    if folder.file_name() != Some(meta.id.0.as_ref()) {
        return Err(Error::damaged(&path, format!("it belongs to {}", meta.id)));
    }
    for (name, expected) in &meta.files {
        let bytes = inside::read(folder, name)?;
        if hash(&bytes) != *expected {
            let path = folder.join(name.as_str());
            return Err(Error::damaged(&path, "it changed since it was written"));
        }
        if name.as_str() == FORMULA && FindingId::of(meta.kind, &meta.culprits, &bytes) != meta.id {
            return Err(Error::damaged(&path, "its id does not follow from its contents"));
        }
    }
    if !meta.files.keys().any(|name| name.as_str() == FORMULA) {
        return Err(Error::damaged(&path, "it has no formula"));
    }
    Ok(meta)
}

/// Writes `meta.json` again.
pub(crate) fn rewrite_meta(dir: &Path, files: &Files, meta: Meta) -> Result<()> {
    let (meta, text) = meta.sealed();
    files.replace(&path(dir, &meta.id).join(META), &text, 0o644)
}

/// The findings in `findings/`, in order, and how many unfinished ones were removed.
pub(crate) fn list(dir: &Path) -> Result<(Vec<FindingId>, u64)> {
    let all = dir.join(FINDINGS);
    let entries = match fs::read_dir(&all) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        entries => entries.map_err(|error| Error::io(&all, error))?,
    };
    let (mut ids, mut partial) = (Vec::new(), 0);
    for entry in entries {
        let entry = entry.map_err(|error| Error::io(&all, error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(PARTIAL) {
            remove(&entry.path())?;
            partial += 1;
        } else {
            ids.extend(FindingId::parse(&name));
        }
    }
    ids.sort();
    Ok((ids, partial))
}

/// Moves a damaged folder aside; returns the new path.
pub(crate) fn quarantine(dir: &Path, files: &Files, id: &FindingId) -> Result<String> {
    let all = dir.join(QUARANTINE);
    files.make_folder(&all)?;
    let to = crate::disk::free_name(&all.join(&id.0), "damaged");
    files.rename(&path(dir, id), &to)?;
    Ok(format!("{QUARANTINE}/{}", to.file_name().unwrap_or_default().to_string_lossy()))
}
