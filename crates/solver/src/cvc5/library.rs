//! The one file of this crate with unsafe code: cvc5's C interface, loaded at run time, behind safe calls.
//!
//! In: the folder with `libcvc5*.so` and `libcvc5parser*.so` of one release, and bytes. Out: responses.
//! Safe because: handles come from the library, live until the process ends (nothing here frees any), never leave
//! this file and are used from one thread; every string that goes in is NUL-terminated and outlives its call;
//! every string that comes out is copied before the next call, which is how long the library keeps it.
//!
//! Before 1.4.0 a failing call prints and exits the process. From 1.4.0 on it sets an error that must be polled,
//! or it is lost: hence `complaint` after every call that can fail.
#![allow(unsafe_code)]

use super::no_library;
use crate::error::Result;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};
use std::time::Duration;

type Handle = *mut c_void;
type Text = *const c_char;

/// `CVC5_INPUT_LANGUAGE_SMT_LIB_2_6`.
const SMT_LIB: c_int = 0;

/// The functions that are used. The error functions exist from 1.4.0 on.
struct Calls {
    set_option: unsafe extern "C" fn(Handle, Text, Text),
    get_version: unsafe extern "C" fn(Handle) -> Text,
    parser_new: unsafe extern "C" fn(Handle, Handle) -> Handle,
    set_file_input: unsafe extern "C" fn(Handle, c_int, Text),
    set_str_input: unsafe extern "C" fn(Handle, c_int, Text, Text),
    set_inc_input: unsafe extern "C" fn(Handle, c_int, Text),
    append_inc_input: unsafe extern "C" fn(Handle, Text),
    next_command: unsafe extern "C" fn(Handle, *mut Text) -> Handle,
    invoke: unsafe extern "C" fn(Handle, Handle, Handle) -> Text,
    command_name: unsafe extern "C" fn(Handle) -> Text,
    has_error: Option<unsafe extern "C" fn() -> bool>,
    error_message: Option<unsafe extern "C" fn() -> Text>,
    reset_error: Option<unsafe extern "C" fn()>,
}

/// A solver, its symbols and its parser.
pub(super) struct Host {
    calls: Calls,
    solver: Handle,
    symbols: Handle,
    parser: Option<NonNull<c_void>>,
}

/// The result of one command.
pub(super) enum Step {
    /// It ran; `text` is what it printed.
    Response { text: Vec<u8>, name: String },
    /// It failed.
    Failed { message: String, name: String },
    /// It could not be parsed.
    Unreadable(String),
    /// There is no further command.
    Nothing,
}

impl Host {
    /// Loads the libraries and makes a solver.
    pub(super) fn load(folder: &Path) -> Result<Host> {
        let solver_lib = open(folder, "libcvc5-", "libcvc5.so")?;
        let parser_lib = open(folder, "libcvc5parser-", "libcvc5parser.so")?;
        let find = Finder { folder, libraries: [&parser_lib, &solver_lib] };
        // SAFETY: the names and types are those of cvc5's C header for every release from 1.2.0 on.
        let (calls, tm_new, solver_new, symbols_new) = unsafe {
            let calls = Calls {
                set_option: find.get(c"cvc5_set_option")?,
                get_version: find.get(c"cvc5_get_version")?,
                parser_new: find.get(c"cvc5_parser_new")?,
                set_file_input: find.get(c"cvc5_parser_set_file_input")?,
                set_str_input: find.get(c"cvc5_parser_set_str_input")?,
                set_inc_input: find.get(c"cvc5_parser_set_inc_str_input")?,
                append_inc_input: find.get(c"cvc5_parser_append_inc_str_input")?,
                next_command: find.get(c"cvc5_parser_next_command")?,
                invoke: find.get(c"cvc5_cmd_invoke")?,
                command_name: find.get(c"cvc5_cmd_get_name")?,
                has_error: find.get(c"cvc5_has_error").ok(),
                error_message: find.get(c"cvc5_get_error_message").ok(),
                reset_error: find.get(c"cvc5_reset_error").ok(),
            };
            let tm_new: unsafe extern "C" fn() -> Handle = find.get(c"cvc5_term_manager_new")?;
            let solver_new: unsafe extern "C" fn(Handle) -> Handle = find.get(c"cvc5_new")?;
            let symbols_new: unsafe extern "C" fn(Handle) -> Handle = find.get(c"cvc5_symbol_manager_new")?;
            (calls, tm_new, solver_new, symbols_new)
        };
        // SAFETY: constructors in the order the library documents; the handles stay valid until the process ends.
        let (solver, symbols) = unsafe {
            let terms = tm_new();
            (solver_new(terms), symbols_new(terms))
        };
        if solver.is_null() || symbols.is_null() {
            return Err(no_library(folder, "the library made no solver"));
        }
        // The code behind the function pointers must stay mapped.
        std::mem::forget((solver_lib, parser_lib));
        Ok(Host { calls, solver, symbols, parser: None })
    }

    pub(super) fn version(&self) -> String {
        // SAFETY: the solver is valid; the text is copied at once.
        unsafe { copy((self.calls.get_version)(self.solver)) }
            .map_or_else(|| "unknown".into(), |v| String::from_utf8_lossy(&v).into_owned())
    }

    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let (name, value) = (text(name.as_bytes())?, text(value.as_bytes())?);
        // SAFETY: valid handle, NUL-terminated texts that outlive the call.
        unsafe { (self.calls.set_option)(self.solver, name.as_ptr(), value.as_ptr()) };
        self.complaint().map_or(Ok(()), Err)
    }

    /// A new parser over the same symbols; also used to continue after a parse error.
    pub(super) fn open_parser(&mut self) {
        // SAFETY: both handles are valid.
        self.parser = NonNull::new(unsafe { (self.calls.parser_new)(self.solver, self.symbols) });
    }

    pub(super) fn read_file(&mut self, path: &str) -> Result<(), String> {
        let path = text(path.as_bytes())?;
        // SAFETY: as in `set_option`; the parser comes from `parser`.
        unsafe { (self.calls.set_file_input)(self.parser()?, SMT_LIB, path.as_ptr()) };
        self.complaint().map_or(Ok(()), Err)
    }

    pub(super) fn read_increments(&mut self) {
        if let Ok(parser) = self.parser() {
            // SAFETY: valid parser and a literal.
            unsafe { (self.calls.set_inc_input)(parser, SMT_LIB, c"<stdin>".as_ptr()) };
        }
    }

    pub(super) fn append(&mut self, command: &[u8]) -> Result<(), String> {
        let mut line = command.to_vec();
        line.push(b'\n');
        let line = text(&line)?;
        // SAFETY: as in `read_file`.
        unsafe { (self.calls.append_inc_input)(self.parser()?, line.as_ptr()) };
        self.complaint().map_or(Ok(()), Err)
    }

    /// Reads and runs the next command of the current parser.
    pub(super) fn step(&mut self) -> Step {
        match self.parser() {
            Ok(parser) => self.step_of(parser),
            Err(message) => Step::Unreadable(message),
        }
    }

    /// Runs one command outside the current input.
    pub(super) fn aside(&mut self, command: &[u8]) -> Result<Vec<u8>, String> {
        let line = text(command)?;
        // SAFETY: as in `open_parser` and `read_file`.
        let parser = unsafe { (self.calls.parser_new)(self.solver, self.symbols) };
        let parser = NonNull::new(parser).ok_or("the library made no parser")?.as_ptr();
        // SAFETY: the parser is fresh and valid; the line outlives the one command read from it below.
        unsafe { (self.calls.set_str_input)(parser, SMT_LIB, line.as_ptr(), c"<driver>".as_ptr()) };
        match self.step_of(parser) {
            Step::Response { text, .. } => Ok(text),
            Step::Failed { message, .. } | Step::Unreadable(message) => Err(message),
            Step::Nothing => Ok(Vec::new()),
        }
    }

    fn step_of(&mut self, parser: Handle) -> Step {
        let mut problem: Text = ptr::null();
        // SAFETY: valid parser; `problem` is an out-parameter that the library sets to a text of its own.
        let command = unsafe { (self.calls.next_command)(parser, &mut problem) };
        // SAFETY: null or a text that lives until the next call.
        let problem = unsafe { copy(problem) }.map(|p| String::from_utf8_lossy(&p).into_owned());
        if let Some(message) = self.complaint().or(problem) {
            return Step::Unreadable(format!("Parse Error: {message}"));
        }
        if command.is_null() {
            return Step::Nothing;
        }
        // SAFETY: the command is valid until the next call to the parser; both texts are copied at once.
        let (name, output) = unsafe {
            let name = copy((self.calls.command_name)(command)).unwrap_or_default();
            (name, copy((self.calls.invoke)(command, self.solver, self.symbols)).unwrap_or_default())
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        match self.complaint() {
            Some(message) => Step::Failed { message, name },
            None => Step::Response { text: output, name },
        }
    }

    fn parser(&self) -> Result<Handle, String> {
        self.parser.map(NonNull::as_ptr).ok_or_else(|| "the library made no parser".to_owned())
    }

    /// The pending error, taken.
    fn complaint(&mut self) -> Option<String> {
        let (has, message, reset) =
            (self.calls.has_error?, self.calls.error_message?, self.calls.reset_error?);
        // SAFETY: the three functions take nothing and were found in this library; the text is copied before reset.
        unsafe {
            if !has() {
                return None;
            }
            let message = copy(message()).unwrap_or_default();
            reset();
            Some(String::from_utf8_lossy(&message).into_owned())
        }
    }
}

/// Looks names up in both libraries.
struct Finder<'a> {
    folder: &'a Path,
    libraries: [&'a Library; 2],
}

impl Finder<'_> {
    /// # Safety
    /// `T` must be the type of the function called `name`.
    unsafe fn get<T: Copy>(&self, name: &CStr) -> Result<T> {
        for library in self.libraries {
            // SAFETY: the caller guarantees the type.
            if let Ok(symbol) = unsafe { library.get::<T>(name.to_bytes_with_nul()) } {
                return Ok(*symbol);
            }
        }
        Err(no_library(self.folder, format!("it has no function {}", name.to_string_lossy())))
    }
}

/// Opens the library whose name starts with `prefix` (as wheels name them) or `plain`.
fn open(folder: &Path, prefix: &str, plain: &str) -> Result<Library> {
    let path =
        locate(folder, prefix, plain).ok_or_else(|| no_library(folder, format!("there is no {plain}")))?;
    // SAFETY: loading runs the library's initialisers; it is the solver the user asked for, and this process
    // exists only to host it.
    unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) }
        .map_err(|e| no_library(&path, e.to_string()))
}

fn locate(folder: &Path, prefix: &str, plain: &str) -> Option<PathBuf> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path()).collect();
    names.sort();
    names.into_iter().find(|p| {
        let name = p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with(plain) || (name.starts_with(prefix) && name.contains(".so"))
    })
}

fn text(bytes: &[u8]) -> Result<CString, String> {
    CString::new(bytes).map_err(|_| "the input contains a NUL byte".to_owned())
}

/// # Safety
/// `text` must be null or a NUL-terminated text that is valid now.
unsafe fn copy(text: Text) -> Option<Vec<u8>> {
    // SAFETY: the caller guarantees it.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes().to_vec())
}

/// Reverts what Rust's runtime sets up for itself, so that a crash of the library looks from outside like a crash of
/// the solver: SIGSEGV stays SIGSEGV on a stack overflow, and a closed pipe ends the process.
pub(super) fn die_as_a_solver_would() {
    // SAFETY: default dispositions are always valid; no other thread runs yet.
    unsafe {
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGPIPE] {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

/// Lets the stack of the first thread grow as far as the system allows: the library recurses on the depth of terms. The
/// kernel leaves at least 128 MB for it, whatever the limit was when the process began.
pub(super) fn take_room_for_the_stack() {
    const ROOM: libc::rlim_t = 512 << 20;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are to a live local.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0 && limit.rlim_cur < ROOM {
            limit.rlim_cur = ROOM.min(limit.rlim_max);
            libc::setrlimit(libc::RLIMIT_STACK, &limit);
        }
    }
}

/// Ends the process after a while, as cvc5's program does under `--tlimit`.
pub(super) fn exit_after(limit: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        let message = b"cvc5 interrupted by timeout.\n";
        // SAFETY: a plain write of a static buffer.
        unsafe { libc::write(2, message.as_ptr().cast(), message.len()) };
        exit_now(1);
    });
}

/// Ends the process without running any exit handlers.
pub(super) fn exit_now(code: i32) -> ! {
    // SAFETY: never returns and touches nothing.
    unsafe { libc::_exit(code) }
}
