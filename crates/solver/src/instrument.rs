//! Builds a release from its source distribution so that it counts which of its code runs.
//!
//! In: a release of a solver whose catalogue entry says how it is built. Out: an instrumented release beside the plain ones,
//! called `z3@5.4.0+coverage`. A build takes the better part of an hour, so it continues where it was interrupted:
//! everything is in `builds/NAME-VERSION` of the home folder, a download is published by a rename, the compiler's
//! results are ninja's to keep, and other flags than last time begin again. CMake and ninja come from the package index
//! into `tools`, because the machine's own are often too old. The compiler is the machine's: clang, whose counters cost a
//! fifth of the running time, or else gcc, with which it is several times as slow.
//!
//! Building runs the package's own build scripts, as any installation from source does; installing a wheel does not.
//! What was built is published like a wheel's files: verified by three queries, then renamed.

use crate::catalogue::{self, PackageKind, SourceBuild};
use crate::coverage::RUNTIME;
use crate::discover::lookup;
use crate::error::{Error, Result};
use crate::home::{Home, Record, Release, hash_of};
use crate::install::{Progress, Say, offers, publish, wait_for_lock, write_record};
use crate::pip::Pip;
use crate::spec::{Program, Spec};
use crate::verify;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No build takes longer.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// A compiler that is asked a small question. Processor time, because a build that gives way to others may wait long, and
/// another compiler would mean other flags.
fn probing() -> run::Limits {
    run::Limits { wall: Some(PATIENCE), cpu: Some(Duration::from_secs(120)), ..run::Limits::default() }
}

/// How often the progress of the compiler is looked at.
const GLANCE: Duration = Duration::from_millis(500);

/// How code is made to count.
#[derive(Clone, Copy)]
struct Way {
    count: &'static str,
    /// Leaves out the compiler's own runtime.
    link: &'static [&'static str],
    /// For the program. Clang's tables hold an address for every block: in a program that is loaded anywhere, the loader
    /// would write all of them at every start, which takes 20 ms for z3.
    program: &'static [&'static str],
    /// Line tables and nothing else for debuggers.
    lines: &'static str,
    /// It can be told which files count.
    selects: bool,
}

/// Best first: clang's, then gcc's.
const WAYS: [Way; 2] = [
    Way {
        count: "-fsanitize-coverage=inline-8bit-counters,pc-table,no-prune",
        link: &["-fno-sanitize-link-runtime"],
        program: &["-no-pie"],
        lines: "-gline-tables-only",
        selects: true,
    },
    Way { count: "-fsanitize-coverage=trace-pc", link: &[], program: &[], lines: "-g1", selects: false },
];

/// The C++ libraries to try. Solvers use `<format>`, which clang may find only in its own.
const LIBRARIES: [&[&str]; 2] = [&[], &["-stdlib=libc++"]];

/// A program that needs what recent solvers need, and one that needs nothing.
const PROBES: [&str; 2] = [
    "#include <format>\nint main() { return std::format(\"{}\", 1).size() != 1; }\n",
    "#include <vector>\nint main() { return std::vector<int>().size() != 0; }\n",
];

/// Builds what a SPEC such as `z3@5.4.0` selects, with so many compilers at once; the newest if it selects several.
pub fn add(home: &Home, spec: &Spec, jobs: usize, say: Say<'_>) -> Result<Release> {
    let Program::Release { solver, want, .. } = &spec.program else {
        return Err(Error::UnknownSolver { name: spec.to_string() });
    };
    let entry = catalogue::get(solver).ok_or_else(|| Error::UnknownSolver { name: solver.clone() })?;
    let (Some(recipe), Some(package)) = (&entry.source, &entry.package) else {
        return Err(Error::NoSource { name: solver.clone() });
    };
    let offer = offers(home, solver, entry, want, say)?.pop();
    let offer = offer.ok_or_else(|| Error::UnknownSolver { name: solver.clone() })?;
    let target = home.instrumented_folder_of(solver, &offer.version);
    let label = format!("{solver}@{}+coverage", offer.version);
    let _lock = wait_for_lock(home, &format!("{solver}-{}+coverage", offer.version))?;
    if let Ok(release) = Release::open(&target) {
        say(Progress::Present { release: label });
        return Ok(release);
    }
    let folder = home.root().join("builds").join(format!("{solver}-{}", offer.version));
    fs::create_dir_all(&folder).map_err(Error::io("cannot create", &folder))?;
    let pip = Pip::find()?;
    let pinned = format!("{package}=={}", offer.package_version);
    let bench = Bench { folder, label: label.clone() };
    let work = Work { bench, tools: home.root().join("tools"), recipe, say };
    work.fetch(&pip, package, &offer.package_version)?;
    work.fetch_tools(&pip)?;
    let compiler = work.compiler()?;
    work.configure(&compiler)?;
    work.compile(jobs)?;
    let staged = work.staged()?;
    let record = Record {
        name: solver.clone(),
        version: offer.version.to_string(),
        origin: format!("built from {pinned}"),
        hash: hash_of(&staged, PackageKind::Executable, &recipe.program)?,
        kind: PackageKind::Executable,
        program: recipe.program.clone(),
        coverage: true,
        wheel: None,
        python: None,
        driver: None,
    };
    say(Progress::Verifying { release: label.clone() });
    write_record(&staged, &record)?;
    verify::release(&Release { record, version: offer.version.clone(), folder: staged.clone() })?;
    publish(&staged, &target)?;
    say(Progress::Installed { release: label });
    Release::open(&target)
}

/// A compiler and the flags with which it makes code count.
struct Compiler {
    program: PathBuf,
    library: &'static [&'static str],
    way: Way,
}

/// One build.
struct Work<'a> {
    bench: Bench,
    tools: PathBuf,
    recipe: &'a SourceBuild,
    say: Say<'a>,
}

impl Work<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.bench.folder.join(name)
    }

    /// The source, downloaded and unpacked.
    fn fetch(&self, pip: &Pip, package: &str, version: &str) -> Result<()> {
        let source = self.path("source");
        if source.is_dir() {
            return Ok(());
        }
        let package_name = format!("{package}=={version}");
        (self.say)(Progress::Downloading {
            release: self.bench.label.clone(),
            package: package_name.clone(),
        });
        let fresh = self.empty("fetched")?;
        let archive = pip.download_source(package, version, &fresh)?;
        let unpacked = self.empty("unpacked")?;
        pip.unpack(&archive, &unpacked)?;
        let entries = fs::read_dir(&unpacked).map_err(Error::io("cannot read", &unpacked))?;
        let only = entries.flatten().map(|entry| entry.path()).find(|path| path.is_dir());
        let only =
            only.ok_or_else(|| Error::Contents { package: package_name, wanted: "a source folder".into() })?;
        fs::rename(&only, &source).map_err(Error::io("cannot move", &only))
    }

    fn empty(&self, name: &str) -> Result<PathBuf> {
        let path = self.path(name);
        if path.exists() {
            fs::remove_dir_all(&path).map_err(Error::io("cannot clear", &path))?;
        }
        fs::create_dir_all(&path).map_err(Error::io("cannot create", &path))?;
        Ok(path)
    }

    /// CMake and ninja, from the package index.
    fn fetch_tools(&self, pip: &Pip) -> Result<()> {
        if self.tool("cmake").is_some() && self.tool("ninja").is_some() {
            return Ok(());
        }
        (self.say)(Progress::Downloading {
            release: self.bench.label.clone(),
            package: "cmake and ninja".into(),
        });
        pip.install_into(&["cmake", "ninja"], &self.tools)
    }

    /// A tool's program: the packages have it in different places, and a script that needs its package is not one.
    fn tool(&self, name: &str) -> Option<PathBuf> {
        let places = [format!("{name}/data/bin/{name}"), format!("bin/{name}")];
        places.iter().map(|place| self.tools.join(place)).find(|path| path.is_file())
    }

    fn need(&self, name: &str) -> Result<PathBuf> {
        let missing = || Error::Contents { package: name.to_owned(), wanted: format!("the program {name}") };
        self.tool(name).ok_or_else(missing)
    }

    /// The first compiler that can make a program count, with the C++ library that recent solvers need if there is one.
    fn compiler(&self) -> Result<Compiler> {
        let named = std::env::var("CXX").ok().filter(|name| !name.is_empty());
        let versions = (14..30).rev().map(|version| format!("clang++-{version}"));
        let names: Vec<String> = match named {
            Some(name) => vec![name],
            None => std::iter::once("clang++".to_owned())
                .chain(versions)
                .chain(["g++".to_owned(), "c++".to_owned()])
                .collect(),
        };
        let found: Vec<PathBuf> = names.iter().filter_map(|name| lookup(name)).collect();
        write(&self.path("runtime.c"), RUNTIME)?;
        for probe in PROBES {
            write(&self.path("probe.cpp"), probe)?;
            for program in &found {
                for (way, library) in WAYS.iter().flat_map(|&way| LIBRARIES.map(|library| (way, library))) {
                    if self.works(program, &[library, &[way.count], way.link, way.program].concat()) {
                        return Ok(Compiler { program: program.clone(), library, way });
                    }
                }
            }
        }
        Err(Error::NoCompiler)
    }

    /// Whether a compiler takes the flags; makes the runtime on the way.
    fn works(&self, program: &Path, flags: &[&str]) -> bool {
        let runs = |args: Vec<OsString>| {
            let mut spec = run::Spec::new(program).args(args).limits(probing());
            spec.cwd = Some(self.bench.folder.clone());
            run::once(&spec, run::Input::Nothing).is_ok_and(|done| done.exit.is_success())
        };
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let runtime = runs(words("-x c -O2 -c runtime.c -o runtime.o"));
        let own = flags.iter().map(OsString::from);
        runtime && runs(own.chain(words("-std=c++20 probe.cpp runtime.o -o probe")).collect())
    }

    /// Writes CMake's build folder; again from nothing if the flags have changed.
    fn configure(&self, compiler: &Compiler) -> Result<()> {
        let (source, build) = (self.path("source").join(&self.recipe.folder), self.path("build"));
        let mut flags: Vec<String> = compiler.library.iter().map(|&flag| flag.to_owned()).collect();
        flags.push(compiler.way.lines.to_owned());
        // Names of files in the line tables begin at the source's own folder.
        flags.push(format!("-ffile-prefix-map={}/=", source.display()));
        flags.push(compiler.way.count.to_owned());
        if compiler.way.selects {
            let list = self.path("components.txt");
            let row = |component: &String| format!("src:*/{}/{component}/*\n", self.recipe.folder);
            let rows: String = self.recipe.components.iter().map(row).collect();
            write(&list, &format!("{rows}fun:*\n"))?;
            flags.push(format!("-fsanitize-coverage-allowlist={}", list.display()));
        }
        flags.extend(compiler.way.link.iter().map(|&flag| flag.to_owned()));
        let ninja = self.need("ninja")?;
        let mut program = vec![self.path("runtime.o").display().to_string()];
        program.extend(compiler.way.program.iter().map(|&flag| flag.to_owned()));
        let settings = [
            format!("CMAKE_MAKE_PROGRAM={}", ninja.display()),
            format!("CMAKE_CXX_COMPILER={}", compiler.program.display()),
            "CMAKE_BUILD_TYPE=Release".to_owned(),
            "CMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG".to_owned(),
            format!("CMAKE_CXX_FLAGS={}", flags.join(" ")),
            format!("CMAKE_EXE_LINKER_FLAGS={}", program.join(" ")),
        ];
        let settings = settings.iter().chain(&self.recipe.settings).map(|setting| format!("-D{setting}"));
        let mut args: Vec<String> = ["-G", "Ninja", "-S"].map(str::to_owned).to_vec();
        args.extend([source.display().to_string(), "-B".into(), build.display().to_string()]);
        args.extend(settings);
        let configured = args.join("\n");
        let record = self.path("configured.txt");
        if build.join("build.ninja").is_file()
            && fs::read_to_string(&record).is_ok_and(|old| old == configured)
        {
            return Ok(());
        }
        (self.say)(Progress::Configuring {
            release: self.bench.label.clone(),
            compiler: compiler.program.clone(),
        });
        if build.exists() {
            fs::remove_dir_all(&build).map_err(Error::io("cannot clear", &build))?;
        }
        self.bench.step("configuring", &self.need("cmake")?, args)?;
        write(&record, &configured)
    }

    /// Runs ninja; what it has compiled before stays.
    fn compile(&self, jobs: usize) -> Result<()> {
        let ninja = &self.need("ninja")?;
        let build = self.path("build");
        let args = |extra: &[&str]| -> Vec<String> {
            let own = ["-C", &build.to_string_lossy()].map(str::to_owned);
            own.into_iter().chain(extra.iter().map(|&word| word.to_owned())).collect()
        };
        let target = self.recipe.target.as_str();
        let all = steps(&self.bench.step("planning", ninja, args(&["-n", target]))?);
        let done = || fs::read_to_string(build.join(".ninja_log")).unwrap_or_default().lines().count();
        let before = done();
        let jobs = format!("-j{}", jobs.max(1));
        std::thread::scope(|scope| {
            let compiling = {
                let (bench, args) = (self.bench.clone(), args(&[jobs.as_str(), target]));
                scope.spawn(move || bench.step("compiling", ninja, args))
            };
            let mut told = None;
            while !compiling.is_finished() {
                let now = done().saturating_sub(before).min(all);
                let percent = 100 * now / all.max(1);
                if all > 0 && told != Some(percent) {
                    (self.say)(Progress::Building { release: self.bench.label.clone(), done: now, all });
                    told = Some(percent);
                }
                std::thread::sleep(GLANCE);
            }
            let panicked = |_| Err(self.bench.failed("compiling", "it ended unexpectedly".into()));
            compiling.join().unwrap_or_else(panicked).map(drop)
        })
    }

    /// A folder with the program alone, to be published.
    fn staged(&self) -> Result<PathBuf> {
        let staged = self.empty("release")?;
        let (from, to) = (self.path("build").join(&self.recipe.program), staged.join(&self.recipe.program));
        fs::copy(&from, &to).map_err(Error::io("cannot copy", &from))?;
        Ok(staged)
    }
}

/// A build as far as its programs are concerned: other threads may run them.
#[derive(Clone)]
struct Bench {
    folder: PathBuf,
    label: String,
}

impl Bench {
    /// Runs one program of the build; returns its output, which is also in a file of the build's folder.
    fn step(&self, step: &'static str, program: &Path, args: Vec<String>) -> Result<String> {
        let limits = run::Limits { wall: Some(PATIENCE), processes: None, ..run::Limits::default() };
        let mut spec = run::Spec::new(program).args(args).limits(limits);
        spec.cwd = Some(self.folder.clone());
        let done =
            run::once(&spec, run::Input::Nothing).map_err(|error| self.failed(step, error.to_string()))?;
        let output = format!("{}{}", done.stdout.text(), done.stderr.text());
        write(&self.folder.join(format!("{step}.log")), &output)?;
        match done.exit.is_success() {
            true => Ok(output),
            false => Err(self.failed(step, telling(&output))),
        }
    }

    fn failed(&self, step: &'static str, detail: String) -> Error {
        Error::Build { release: self.label.clone(), step, detail, folder: self.folder.clone() }
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    // A file that is newer makes ninja link again.
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(Error::io("cannot write", path))
}

/// How many steps ninja says there are: `[1/900] …`.
fn steps(output: &str) -> usize {
    let step = |line: &str| line.strip_prefix('[')?.split_once(']')?.0.split_once('/')?.1.parse().ok();
    output.lines().filter_map(step).next_back().unwrap_or(0)
}

/// The line of a build's output that says what is wrong.
fn telling(output: &str) -> String {
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines().find(|line| line.contains("error:") || line.starts_with("CMake Error"));
    error.or_else(|| lines().next_back()).unwrap_or("it printed nothing").chars().take(400).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_and_the_error_are_read_from_what_a_build_prints() {
        assert_eq!(steps("[1/900] Building\n[900/900] Linking\nninja: done\n"), 900);
        assert_eq!(steps("ninja: no work to do.\n"), 0);
        let output =
            "[1/2] Building a\nx.cpp:1:9: fatal error: 'format' file not found\n1 error\nninja: stopped\n";
        assert_eq!(telling(output), "x.cpp:1:9: fatal error: 'format' file not found");
        assert_eq!(telling("a\nb\n\n"), "b");
        assert_eq!(telling(""), "it printed nothing");
    }
}
