//! Output stored within bounds: the head, the tail, and the total length.
//!
//! At most `head + tail` bytes of a stream are stored, so 10 GB on a pipe cost no more memory than 1 MB. Nothing is
//! decoded, trimmed or escaped here.

use std::borrow::Cow;

/// A finished stream: its beginning, its end and its length.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captured {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes, those of the head not repeated.
    pub tail: Vec<u8>,
    /// How many bytes there were in all.
    pub total: u64,
}

impl Captured {
    /// Whether bytes in the middle were dropped.
    pub fn is_cut(&self) -> bool {
        self.total > (self.head.len() + self.tail.len()) as u64
    }

    /// All bytes that were stored. Borrowed in the common case that everything fitted in the head. When the stream was
    /// cut, a line says how many bytes are missing, so that the two halves cannot be read as one text by mistake.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        if self.tail.is_empty() && !self.is_cut() {
            return Cow::Borrowed(&self.head);
        }
        let mut all = self.head.clone();
        if self.is_cut() {
            let missing = self.total - (self.head.len() + self.tail.len()) as u64;
            all.extend_from_slice(format!("\n[... {missing} bytes cut ...]\n").as_bytes());
        }
        all.extend_from_slice(&self.tail);
        Cow::Owned(all)
    }

    /// The kept bytes as text, invalid UTF-8 replaced. For display only.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }
}

/// A stream that is still being read.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    head_room: usize,
    ring: Vec<u8>,
    ring_room: usize,
    /// Where the next byte goes once the ring is full; its oldest byte is there.
    ring_next: usize,
    total: u64,
}

impl Capture {
    pub(crate) fn new(head_room: usize, ring_room: usize) -> Capture {
        Capture { head: Vec::new(), head_room, ring: Vec::new(), ring_room, ring_next: 0, total: 0 }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let to_head = bytes.len().min(self.head_room - self.head.len());
        self.head.extend_from_slice(&bytes[..to_head]);
        self.push_ring(&bytes[to_head..]);
    }

    fn push_ring(&mut self, bytes: &[u8]) {
        // Only the last `ring_room` bytes can matter.
        let mut bytes = &bytes[bytes.len().saturating_sub(self.ring_room)..];
        let grow = bytes.len().min(self.ring_room - self.ring.len());
        self.ring.extend_from_slice(&bytes[..grow]);
        bytes = &bytes[grow..];
        while !bytes.is_empty() {
            let run = bytes.len().min(self.ring_room - self.ring_next);
            self.ring[self.ring_next..self.ring_next + run].copy_from_slice(&bytes[..run]);
            self.ring_next = (self.ring_next + run) % self.ring_room;
            bytes = &bytes[run..];
        }
    }

    pub(crate) fn finish(mut self) -> Captured {
        self.ring.rotate_left(self.ring_next);
        Captured { head: self.head, tail: self.ring, total: self.total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_are_exact_for_every_chunking() {
        let data: Vec<u8> = (0..200u8).collect();
        for chunk in 1..60 {
            for (head, tail) in [(0, 0), (5, 0), (0, 7), (10, 13), (150, 49), (150, 50), (200, 9), (500, 9)] {
                let mut capture = Capture::new(head, tail);
                data.chunks(chunk).for_each(|c| capture.push(c));
                let done = capture.finish();
                let head_end = head.min(data.len());
                let tail_start = head_end.max(data.len().saturating_sub(tail));
                assert_eq!(done.head, &data[..head_end], "chunk {chunk} head {head} tail {tail}");
                assert_eq!(done.tail, &data[tail_start..], "chunk {chunk} head {head} tail {tail}");
                assert_eq!(done.total, 200);
                assert_eq!(done.is_cut(), tail_start > head_end);
            }
        }
    }

    #[test]
    fn a_cut_stream_says_how_much_is_missing() {
        let mut capture = Capture::new(2, 2);
        capture.push(b"sat and much more");
        assert_eq!(capture.finish().text(), "sa\n[... 13 bytes cut ...]\nre");
    }
}
