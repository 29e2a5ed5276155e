//! Which solvers have releases that install by name, and how a package version maps to a release number.
//!
//! The facts are in `catalogue.toml`, embedded. This file only reads them. It never uses the network: `install` queries
//! the package client for what exists, and the table's `known` lists answer without one.

use crate::version::Version;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One solver of the catalogue.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// The wheel's package name; none if the solver can only be found on PATH.
    pub package: Option<String>,
    /// The profile, if it is not the solver's own name.
    pub profile: Option<String>,
    #[serde(default)]
    pub release: Numbering,
    pub kind: Option<PackageKind>,
    /// Releases before this one run through Python whatever `kind` says.
    pub python_before: Option<String>,
    /// Path suffix of the executable in the wheel.
    pub program: Option<String>,
    /// Name of the embedded Python runner.
    pub runner: Option<String>,
    /// Names the program goes by on PATH.
    #[serde(default)]
    pub on_path: Vec<String>,
    /// Older releases are not supported.
    pub oldest: Option<String>,
    /// How it is built with coverage from its source distribution.
    pub source: Option<SourceBuild>,
    /// Package versions seen to work.
    #[serde(default)]
    pub known: Vec<String>,
}

/// How a source distribution with a CMake project becomes a program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceBuild {
    /// The project's folder in the distribution.
    pub folder: String,
    /// The target to build.
    pub target: String,
    /// The program, in the build folder.
    pub program: String,
    /// Folders of the project whose code counts.
    pub components: Vec<String>,
    /// Settings of the project, as `NAME=VALUE`.
    pub settings: Vec<String>,
}

/// How package versions become release numbers.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Numbering {
    #[default]
    Plain,
    DropFourth,
    FirstThree,
}

/// What a wheel holds, and so how the release is run.
#[derive(Clone, Copy, Debug, Deserialize, serde::Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum PackageKind {
    /// A program.
    Executable,
    /// cvc5's libraries, hosted by falsum itself.
    Cvc5Library,
    /// A Python module with a parser, driven by an embedded script.
    Python,
}

/// A release that exists, with the package version that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub version: Version,
    pub package_version: String,
}

static CATALOGUE: LazyLock<BTreeMap<String, Entry>> =
    LazyLock::new(|| match toml::from_str(include_str!("../catalogue.toml")) {
        Ok(table) => table,
        Err(error) => unreachable!("the embedded catalogue is tested to parse: {error}"),
    });

/// All solvers, by name.
pub fn all() -> &'static BTreeMap<String, Entry> {
    &CATALOGUE
}

/// The entry of a solver.
pub fn get(solver: &str) -> Option<&'static Entry> {
    CATALOGUE.get(solver)
}

/// The catalogue's name for a name or a program name: `yices-smt2` is `yices`.
pub fn canonical_name(word: &str) -> Option<&'static str> {
    CATALOGUE
        .iter()
        .find(|(name, entry)| *name == word || entry.on_path.iter().any(|p| p == word))
        .map(|(name, _)| name.as_str())
}

impl Entry {
    /// The release that a package version holds; `None` if it is too old to be supported.
    pub fn offer(&self, package_version: &str) -> Option<Offer> {
        let plain = package_version.split(".post").next().unwrap_or(package_version);
        let keep = match self.release {
            Numbering::Plain => usize::MAX,
            Numbering::DropFourth | Numbering::FirstThree => 3,
        };
        let number: Vec<&str> = plain.split('.').take(keep).collect();
        let version = Version::parse(&number.join("."))?;
        let oldest = self.oldest.as_deref().and_then(Version::parse);
        let usable = oldest.is_none_or(|o| version >= o);
        usable.then(|| Offer { version, package_version: package_version.to_owned() })
    }

    /// Offers for a list of package versions, newest first; of several packagings of one release, the first listed.
    pub fn offers<'a>(&self, package_versions: impl IntoIterator<Item = &'a str>) -> Vec<Offer> {
        let mut offers: Vec<Offer> = Vec::new();
        for offer in package_versions.into_iter().filter_map(|v| self.offer(v)) {
            if !offers.iter().any(|o| o.version == offer.version) {
                offers.push(offer);
            }
        }
        offers.sort_by(|a, b| b.version.cmp(&a.version));
        offers
    }

    /// The releases of the embedded table.
    pub fn known_offers(&self) -> Vec<Offer> {
        self.offers(self.known.iter().map(String::as_str))
    }

    /// How a given release is run.
    pub fn kind_of(&self, version: &Version) -> Option<PackageKind> {
        let old = self.python_before.as_deref().and_then(Version::parse).is_some_and(|v| *version < v);
        if old { Some(PackageKind::Python) } else { self.kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_catalogue_parses_and_every_known_version_is_an_offer() {
        for (name, entry) in all() {
            for known in &entry.known {
                assert!(entry.offer(known).is_some(), "{name} {known}");
            }
            assert_eq!(entry.package.is_some(), entry.kind.is_some(), "{name}");
        }
    }

    #[test]
    fn package_versions_become_release_numbers() {
        let number = |solver: &str, v: &str| get(solver).unwrap().offer(v).map(|o| o.version.to_string());
        assert_eq!(number("z3", "5.4.0.0").as_deref(), Some("5.4.0"));
        assert_eq!(number("z3", "4.8.0.0.post1").as_deref(), Some("4.8.0"));
        assert_eq!(number("yices", "2.6.5.post24").as_deref(), Some("2.6.5"));
        assert_eq!(number("boolector", "3.2.4.38488416565").as_deref(), Some("3.2.4"));
        assert_eq!(number("cvc5", "1.4.2").as_deref(), Some("1.4.2"));
        assert_eq!(number("cvc5", "1.0.7"), None, "too old to be supported");
    }

    #[test]
    fn old_cvc5_releases_run_through_python_and_new_ones_through_falsum() {
        let kind = |v: &str| get("cvc5").unwrap().kind_of(&Version::parse(v).unwrap());
        assert_eq!(kind("1.1.2"), Some(PackageKind::Python));
        assert_eq!(kind("1.2.0"), Some(PackageKind::Cvc5Library));
    }
}
