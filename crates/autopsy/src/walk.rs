//! The stack of a stopped thread, walked by the unwinding tables of the files that it runs.
//!
//! In: a thread that a fatal signal is about to reach. Out: its functions by name. A thread that jumped to an address
//! without code has just been called from the address on top of the stack, and the walk begins there.

use crate::names::{Image, Images};
use crate::place::Stack;
use crate::trace::{Registers, registers};
use framehop::{ExplicitModuleSectionInfo, Module, Unwinder};
use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The maximal number of frames that are read. An endless recursion fills any stack with hundreds of thousands.
const FRAMES: usize = 2_000;

#[cfg(target_arch = "aarch64")]
mod native {
    pub(super) use framehop::aarch64::{CacheAarch64 as Cache, UnwinderAarch64 as NativeUnwinder};
    pub(super) fn start(r: &super::Registers) -> framehop::aarch64::UnwindRegsAarch64 {
        framehop::aarch64::UnwindRegsAarch64::new(r.link.unwrap_or(0), r.stack, r.frame)
    }
}

#[cfg(not(target_arch = "aarch64"))]
mod native {
    pub(super) use framehop::x86_64::{CacheX86_64 as Cache, UnwinderX86_64 as NativeUnwinder};
    pub(super) fn start(r: &super::Registers) -> framehop::x86_64::UnwindRegsX86_64 {
        framehop::x86_64::UnwindRegsX86_64::new(r.instruction, r.stack, r.frame)
    }
}

/// A fault this near to the top of the stack counts as a stack overflow.
const NEAR: u64 = 1 << 20;

/// Below this an address is that of a part of something that is not there: a null pointer, or an index into nothing.
const NULL: u64 = 1 << 16;

pub(crate) fn stack_of(thread: i32, fault: Option<u64>) -> Option<Stack> {
    let mut registers = registers(thread)?;
    let overflow = fault.is_some_and(|address| address.abs_diff(registers.stack) < NEAR);
    let wild = !overflow && fault.is_some_and(|address| address >= NULL);
    let memory = Memory::of(thread)?;
    let images = Images::of(thread);
    if images.find(registers.instruction).is_none() {
        return_to_caller(&mut registers, &memory);
    }
    let mut unwinder = native::NativeUnwinder::<Vec<u8>>::new();
    for image in images.all() {
        unwinder.add_module(module(image));
    }
    let mut cache = native::Cache::<_>::new();
    let mut read = |address: u64| memory.word(address).ok_or(());
    let mut frames =
        unwinder.iter_frames(registers.instruction, native::start(&registers), &mut cache, &mut read);
    let (mut names, mut frames_seen) = (vec![], 0);
    while let (Ok(Some(frame)), true) = (frames.next(), frames_seen < FRAMES) {
        frames_seen += 1;
        names.extend(images.name(frame.address_for_lookup()));
    }
    (!names.is_empty()).then_some(Stack { functions: names, overflow, wild })
}

/// The registers as if the call to an invalid address had just returned.
fn return_to_caller(registers: &mut Registers, memory: &Memory) {
    match registers.link {
        Some(link) => registers.instruction = link,
        None => {
            if let Some(caller) = memory.word(registers.stack) {
                registers.instruction = caller;
                registers.stack += 8;
            }
        }
    }
}

fn module(image: &Image) -> Module<Vec<u8>> {
    let mut info = ExplicitModuleSectionInfo { base_svma: 0, ..ExplicitModuleSectionInfo::default() };
    (info.eh_frame_svma, info.eh_frame) = image.section(".eh_frame").unzip();
    (info.eh_frame_hdr_svma, info.eh_frame_hdr) = image.section(".eh_frame_hdr").unzip();
    (info.text_svma, info.text) = image.section(".text").unzip();
    Module::new(image.path.clone(), image.range.clone(), image.bias, info)
}

/// The memory of another process, a page at a time.
struct Memory {
    file: File,
    page: RefCell<(u64, Vec<u8>)>,
}

const PAGE: u64 = 4096;

impl Memory {
    fn of(thread: i32) -> Option<Memory> {
        let file = File::open(format!("/proc/{thread}/mem")).ok()?;
        Some(Memory { file, page: RefCell::new((u64::MAX, vec![])) })
    }

    fn word(&self, address: u64) -> Option<u64> {
        let at = address & !(PAGE - 1);
        let mut page = self.page.borrow_mut();
        if page.0 != at {
            let mut bytes = vec![0; PAGE as usize];
            self.file.read_exact_at(&mut bytes, at).ok()?;
            *page = (at, bytes);
        }
        let from = (address - at) as usize;
        match page.1.get(from..from + 8) {
            Some(word) => Some(u64::from_ne_bytes(word.try_into().ok()?)),
            // Across a page border.
            None => {
                let mut word = [0; 8];
                self.file.read_exact_at(&mut word, address).ok()?;
                Some(u64::from_ne_bytes(word))
            }
        }
    }
}
