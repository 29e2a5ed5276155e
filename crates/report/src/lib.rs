//! `report`: what a campaign found, in formats that the reader can act on.
//!
//! In: a campaign folder, opened for reading. Out: one document ([`Report`]), and that document as text, Markdown,
//! JSON, JUnit, SARIF, HTML or a folder of issue drafts. `document.rs` gathers; every other file is a pure function
//! of the document, so that no two formats can disagree.
//!
//! It must never need the network, never write into the campaign's own files, and never let text of a solver or a
//! formula (a symbol called `<script>`, an escape sequence, three backquotes) act on the reader's machine.

mod chart;
pub mod coverage;
mod date;
mod document;
mod draft;
mod error;
pub mod evolution;
pub mod generations;
mod highlight;
mod html;
mod issues;
mod junit;
pub mod known;
mod links;
mod markdown;
mod plain;
mod project;
mod sarif;
pub mod tables;
mod text;
mod title;

pub use date::Moment;
pub use document::{Answered, BugReport, Due, Options, Origin, Report, SCHEMA};
pub use draft::draft;
pub use error::{Error, Result};
pub use html::{Place, html, html_at};
pub use issues::issues;
pub use junit::junit;
pub use known::Known;
pub use markdown::markdown;
pub use plain::{count, lines as escaped};
pub use sarif::sarif;
pub use text::text;

/// The document as JSON; `docs/guides/report-schema.md` says what each field means.
pub fn json(report: &Report) -> Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}
