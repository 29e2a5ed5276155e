//! A process that got as far as its input and waits there, to be copied: what starting costs is paid once.
//!
//! A [`Host`] is a program with a small library in front of it (`shim/copies.rs`, [`library`]). It runs until it has read
//! what [`Opening`] gives it and asks for more. Then it is signalled, and from that moment it takes orders: each makes a
//! copy of it, with its own pipes and its own input, that goes on as if it had been started by itself. A copy is a child of
//! ours, has its own process group and its own mark, and is run by the code that runs every other process; what it does
//! cannot reach the original, which never goes on.
//!
//! Copying a process is only right if the original consists of its memory and its standard streams. So a program is turned
//! down ([`Error::NoOriginal`]) if it has more than one thread, children, open files besides its input, an alarm or a timer,
//! or has said anything that was not asked of it; if it is linked statically, since the library then has no effect; and if it
//! does not get to its input in time. Then the caller starts a process for every case, as without hosts.
//!
//! A copy has the addresses of its original. A bug that depends on where things lie shows in all copies of one original or
//! in none; that is why a suspicion is put to a started process at least once.

use crate::error::Error;
use crate::interactive::Interactive;
use crate::once::to_the_end;
use crate::outcome::{Outcome, Why};
use crate::proc_files;
use crate::running::{Feed, Running};
use crate::spawn::{DIGITS, Leader, Pipes, limit_address_space, new_nonce};
use crate::spec::{Cancel, Input, Limits, Spec};
use crate::sys;
use crate::tree::{self, SPAWNING};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, Mode, OFlags, SeekFrom, memfd_create};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How long an original may take to answer an order; copying takes a millisecond.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at whether a program has opened its input.
const LOOK: Duration = Duration::from_micros(500);

/// The library to put in front of a program, as the bytes of a shared object; empty where there is none.
pub fn library() -> &'static [u8] {
    include_bytes!(concat!(env!("OUT_DIR"), "/copies.so"))
}

/// Where the original reads its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Original<'a> {
    /// From its standard input.
    Stdin,
    /// From the named pipe at this path, which is its last argument. The pipe is made, and removed with the host.
    Argument(&'a Path),
}

/// What happens before the first copy is made.
pub struct Opening<'a> {
    /// The file that [`library`] was written to.
    pub library: &'a Path,
    pub original: Original<'a>,
    /// What the original reads and works through; copies go on behind it.
    pub text: &'a [u8],
    /// What the original says to it, exactly. Nothing may come before or after.
    pub answer: &'a [u8],
}

/// An original that takes orders.
#[derive(Debug)]
pub struct Host {
    original: Running,
    orders: OwnedFd,
    /// The descriptor under which the original has its input, if that is not standard input.
    place: Option<i32>,
    /// Our end of the named pipe: as long as we hold it, the original's input does not end.
    held: Option<OwnedFd>,
    program: String,
}

/// What a copy reads.
enum CopyInput<'a> {
    /// A text of its own, then the end.
    Text(&'a [u8]),
    /// A pipe that we write into.
    Pipe,
}

impl Host {
    /// Starts the original and brings it to where it can be copied, under the wall limit of the spec.
    pub fn start(spec: &Spec, opening: &Opening<'_>) -> Result<Host, Error> {
        let program = spec.program.display().to_string();
        let (orders, theirs) = sys::socket_pair().map_err(|e| Error::of_call("socketpair", e))?;
        let mut spec = spec.clone().env("LD_PRELOAD", opening.library).env("FALSUM_HOST", "1");
        let fifo = match opening.original {
            Original::Stdin => None,
            Original::Argument(path) => {
                let made = rustix::fs::mknodat(
                    rustix::fs::CWD,
                    path,
                    rustix::fs::FileType::Fifo,
                    Mode::RUSR | Mode::WUSR,
                    0,
                );
                made.map_err(|e| Error::of_call("mknod", e.into()))?;
                spec = spec.arg(path);
                Some(path)
            }
        };
        let original = Running::start(&spec, &Input::Descriptor(theirs.as_fd()));
        drop(theirs);
        let host = original.and_then(|original| {
            let mut host = Host { original, orders, place: None, held: None, program };
            host.open(fifo, opening)?;
            Ok(host)
        });
        if let Some(path) = fifo {
            let _ = std::fs::remove_file(path);
        }
        host
    }

    fn refused(&self, why: impl Into<String>) -> Error {
        Error::NoOriginal { program: self.program.clone().into(), why: why.into() }
    }

    fn open(&mut self, fifo: Option<&Path>, opening: &Opening<'_>) -> Result<(), Error> {
        let mut said = Vec::new();
        match fifo {
            None => self.write_all(opening.text, None)?,
            Some(path) => {
                let held = self.wait_for_reader(path, &mut said)?;
                self.write_all(opening.text, Some(held.as_fd()))?;
                self.held = Some(held);
            }
        }
        while !self.wants_more(fifo)? {
            self.wait(&mut said, LOOK)?;
        }
        // What it has to say, it has said by now.
        self.wait(&mut said, Duration::ZERO)?;
        if said != opening.answer || !self.original.take_stderr().bytes().is_empty() {
            return Err(self.refused(format!("it said {:?}", String::from_utf8_lossy(&said))));
        }
        self.is_alone()?;
        pidfd_send_signal(&self.original.leader.pidfd, Signal::USR2)
            .map_err(|e| Error::of_call("pidfd_send_signal", e.into()))?;
        match self.answer()? {
            0 => Ok(()),
            _ => Err(self.refused("an alarm is set")),
        }
    }

    /// Whether the original has read all that it was given and waits for more.
    fn wants_more(&mut self, fifo: Option<&Path>) -> Result<bool, Error> {
        if let Some(path) = fifo.filter(|_| self.place.is_none()) {
            self.place = self.find_input(path)?;
            if self.place.is_none() {
                return Ok(false);
            }
        }
        let input = self.place.unwrap_or(0);
        Ok(!self.has_unread() && proc_files::is_reading(self.original.leader.pid, input))
    }

    /// Whether the original has not taken all of what it was given.
    fn has_unread(&self) -> bool {
        match &self.held {
            Some(pipe) => rustix::io::ioctl_fionread(pipe).unwrap_or(0) > 0,
            None => sys::unread_by_peer(self.orders.as_fd()) > 0,
        }
    }

    fn write_all(&self, mut text: &[u8], held: Option<BorrowedFd<'_>>) -> Result<(), Error> {
        let end = Instant::now() + PATIENCE;
        while !text.is_empty() {
            let written = match held {
                Some(pipe) => rustix::io::write(pipe, text),
                None => sys::send(self.orders.as_fd(), text, &[]),
            };
            match written {
                Ok(n) => text = &text[n..],
                Err(Errno::AGAIN) if Instant::now() < end => std::thread::sleep(LOOK),
                Err(Errno::INTR) => {}
                Err(_) => return Err(self.refused("it does not read its input")),
            }
        }
        Ok(())
    }

    /// Our end of the named pipe, once the original has opened its own.
    fn wait_for_reader(&mut self, path: &Path, said: &mut Vec<u8>) -> Result<OwnedFd, Error> {
        loop {
            let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
            match rustix::fs::open(path, flags, Mode::empty()) {
                Ok(held) => return Ok(held),
                Err(Errno::NXIO | Errno::INTR) => self.wait(said, LOOK)?,
                Err(error) => return Err(Error::of_call("open", error.into())),
            }
        }
    }

    /// Lets the original go on for a moment; an error once it has ended or passed a limit.
    fn wait(&mut self, said: &mut Vec<u8>, at_most: Duration) -> Result<(), Error> {
        let mut nothing = Feed { bytes: &[], close: false };
        self.original.turn(&mut nothing, &mut |new| said.extend_from_slice(new), at_most);
        if self.original.exited {
            return Err(self.refused("it ended before it had read its input"));
        }
        match self.original.over() {
            Some(Why::Cancelled) => Err(self.refused("cancelled")),
            Some(_) => Err(self.refused("it takes too long to get to its input")),
            None => Ok(()),
        }
    }

    /// The one descriptor under which the original has the named pipe; `None` before it has opened it.
    fn find_input(&self, path: &Path) -> Result<Option<i32>, Error> {
        let inputs: Vec<i32> =
            self.descriptors()?.into_iter().filter(|(_, target)| target == path).map(|(n, _)| n).collect();
        match inputs[..] {
            [] => Ok(None),
            [place] if place > 2 => Ok(Some(place)),
            _ => Err(self.refused("it has opened its input more than once")),
        }
    }

    fn descriptors(&self) -> Result<Vec<(i32, std::path::PathBuf)>, Error> {
        let folder = format!("/proc/{}/fd", self.original.leader.pid);
        let entries = std::fs::read_dir(folder).map_err(|_| self.refused("it ended"))?;
        let read = |entry: std::fs::DirEntry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            Some((number, std::fs::read_link(entry.path()).ok()?))
        };
        Ok(entries.flatten().filter_map(read).collect())
    }

    /// Whether the original is nothing but its memory and its streams.
    fn is_alone(&self) -> Result<(), Error> {
        let pid = self.original.leader.pid;
        let threads = proc_files::stat(pid).map_or(0, |stat| stat.threads);
        if threads != 1 {
            return Err(self.refused(format!("it has {threads} threads")));
        }
        if !proc_files::children(pid).is_empty() {
            return Err(self.refused("it has started other processes"));
        }
        // What we have inherited ourselves and never closed, every process of ours has.
        let inherited = |n: i32| std::fs::read_link(format!("/proc/self/fd/{n}")).ok();
        let more =
            |n: i32, file: &Path| n > 2 && Some(n) != self.place && inherited(n).as_deref() != Some(file);
        if let Some((_, file)) = self.descriptors()?.into_iter().find(|(n, file)| more(*n, file)) {
            return Err(self.refused(format!("it has opened {}", file.display())));
        }
        if std::fs::read(format!("/proc/{pid}/timers")).is_ok_and(|timers| !timers.is_empty()) {
            return Err(self.refused("a timer is set"));
        }
        Ok(())
    }

    /// One number from the original.
    fn answer(&self) -> Result<i32, Error> {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let nap = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            let mut fds = [
                PollFd::new(&self.orders, PollFlags::IN),
                PollFd::new(&self.original.leader.pidfd, PollFlags::IN),
            ];
            let found = poll(&mut fds, Some(&nap));
            let mut bytes = [0u8; 4];
            match sys::receive(self.orders.as_fd(), &mut bytes) {
                Ok(4) => return Ok(i32::from_ne_bytes(bytes)),
                Err(Errno::AGAIN | Errno::INTR) if found != Ok(0) && fds[1].revents().is_empty() => {}
                _ => return Err(self.refused("it does not answer")),
            }
        }
    }

    /// How much memory the original holds, in bytes.
    pub fn memory(&self) -> u64 {
        proc_files::stat(self.original.leader.pid).map_or(0, |stat| stat.resident)
    }

    /// A copy that reads this text behind what the original has read, and runs to its end or to a limit. The host is
    /// needed for a moment only; what it returns runs by itself.
    pub fn copy(&mut self, text: &[u8], limits: &Limits, cancel: Option<&Cancel>) -> Result<Copied, Error> {
        let started = Instant::now();
        let running = self.make(&CopyInput::Text(text), limits, cancel)?;
        Ok(Copied { running, started })
    }

    /// A copy that is asked many times, each request under its own limits. Only of an original that reads standard input.
    pub fn interactive(&mut self, limits: &Limits, cancel: Option<&Cancel>) -> Result<Interactive, Error> {
        let began = Instant::now();
        let running = self.make(&CopyInput::Pipe, limits, cancel)?;
        Ok(Interactive::of(running, limits.clone(), began))
    }

    fn make(
        &mut self,
        input: &CopyInput<'_>,
        limits: &Limits,
        cancel: Option<&Cancel>,
    ) -> Result<Running, Error> {
        let call = |name| move |e: Errno| Error::of_call(name, e.into());
        let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(call("pipe2"));
        let (stdout, their_out) = pipe()?;
        let (stderr, their_err) = pipe()?;
        let (stdin, their_in) = match input {
            CopyInput::Pipe => {
                let (theirs, ours) = pipe()?;
                (Some(ours), theirs)
            }
            CopyInput::Text(text) => (None, text_file(text)?),
        };
        let pipes = Pipes { stdin, stdout, stderr };
        pipes.never_block()?;
        let nothing;
        let files = match self.place {
            None => vec![their_in.as_fd(), their_out.as_fd(), their_err.as_fd()],
            Some(_) => {
                nothing = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
                    .map_err(call("open"))?;
                vec![nothing.as_fd(), their_out.as_fd(), their_err.as_fd(), their_in.as_fd()]
            }
        };
        let nonce = new_nonce();
        let pid = {
            // Until it is registered, the copy must not be taken for an orphan of another run.
            let _registering = SPAWNING.read().unwrap_or_else(PoisonError::into_inner);
            let pid = self.order(&files, &nonce)?;
            tree::register(pid.as_raw_nonzero().get());
            pid
        };
        let number = pid.as_raw_nonzero().get();
        limit_address_space(pid, limits);
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(pidfd) => {
                let leader = Leader::new(number, pidfd, &nonce);
                Ok(Running::of(leader, pipes, limits, cancel.cloned()))
            }
            Err(error) => {
                // We cannot watch it (out of descriptors): it must not stay.
                let _ = rustix::process::kill_process(pid, Signal::KILL);
                let _ = sys::reap(number, true);
                tree::unregister(number);
                Err(Error::of_call("pidfd_open", error.into()))
            }
        }
    }

    /// Orders one copy with these descriptors; its number.
    fn order(&self, files: &[BorrowedFd<'_>], nonce: &str) -> Result<Pid, Error> {
        let mut order = self.place.unwrap_or(-1).to_ne_bytes().to_vec();
        order.extend_from_slice(&nonce.as_bytes()[nonce.len() - DIGITS..]);
        let sent = sys::send(self.orders.as_fd(), &order, files);
        sent.map_err(|_| self.refused("it has ended"))?;
        match self.answer()? {
            pid if pid > 0 => Pid::from_raw(pid).ok_or_else(|| self.refused("it does not answer")),
            error => Err(Error::of_call("clone", std::io::Error::from_raw_os_error(-error))),
        }
    }
}

/// A copy on its way.
#[derive(Debug)]
pub struct Copied {
    running: Running,
    started: Instant,
}

impl Copied {
    /// Waits for its end, or for the first limit it passes.
    pub fn finish(self) -> Outcome {
        to_the_end(self.running, &[], self.started)
    }
}

/// A text as a file that is in no folder.
fn text_file(text: &[u8]) -> Result<OwnedFd, Error> {
    let call = |name| move |e: Errno| Error::of_call(name, e.into());
    let file = memfd_create("script", MemfdFlags::CLOEXEC).map_err(call("memfd_create"))?;
    let mut left = text;
    while !left.is_empty() {
        match rustix::io::write(&file, left) {
            Ok(n) => left = &left[n..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(Error::of_call("write", error.into())),
        }
    }
    rustix::fs::seek(&file, SeekFrom::Start(0)).map_err(call("lseek"))?;
    Ok(file)
}
