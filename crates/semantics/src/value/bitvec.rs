//! Bit-vectors of any width from 1 to [`BitVec::MAX_WIDTH`]: the values of `(_ BitVec n)`.
//!
//! In: words, big integers and the three spellings of SMT-LIB (`#b`, `#x`, `bvN`). Out: the same, and through
//! [`mod@ops`] and [`mod@overflow`] every operator of the standard and of the solvers we test. A value is a width and
//! an unsigned number below 2^width; signedness belongs to the operators. Up to 64 bits the number is one machine
//! word, because almost all values in practice are that small; beyond that it is a big natural number. The width alone
//! decides which, so equality, order and hash of the representation are those of the value.
//!
//! It must never hold bits above its width, and must never invent a value for operands whose widths differ: binary
//! operators panic on those, because only an unchecked term can have them.

use std::fmt;

use dashu_base::Sign;
use dashu_int::{IBig, UBig};

use super::int::Int;

mod ops;
mod overflow;

/// A bit-vector value. Ordered by width, then as an unsigned number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitVec {
    width: u32,
    bits: Bits,
}

/// The unsigned number: `Word` exactly when the width is at most 64.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Bits {
    Word(u64),
    Wide(UBig),
}

/// The lowest `width` bits set, for widths that fit a word.
#[inline]
const fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl BitVec {
    /// Maximum width; a larger one is a denial of service, not a formula.
    pub const MAX_WIDTH: u32 = 1 << 24;

    /// Whether a bit-vector may have this width.
    pub const fn is_width(width: u32) -> bool {
        width >= 1 && width <= Self::MAX_WIDTH
    }

    /// `value` modulo 2^width; `None` if there is no such width.
    #[inline]
    pub fn from_u64(width: u32, value: u64) -> Option<BitVec> {
        Self::is_width(width).then(|| Self::word(width, value))
    }

    /// `value` modulo 2^width (`int_to_bv`, `nat2bv` on naturals); `None` if there is no such width.
    pub fn from_ubig(width: u32, value: UBig) -> Option<BitVec> {
        Self::is_width(width).then(|| Self::wide(width, value))
    }

    /// `value` modulo 2^width, negative numbers in two's complement (`int_to_bv`, `int2bv`);
    /// `None` if there is no such width.
    pub fn from_ibig(width: u32, value: &IBig) -> Option<BitVec> {
        let (sign, magnitude) = value.clone().into_parts();
        let magnitude = Self::from_ubig(width, magnitude)?;
        Some(if sign == Sign::Negative { magnitude.neg() } else { magnitude })
    }

    /// The zero of this width.
    pub fn zero(width: u32) -> Option<BitVec> {
        Self::from_u64(width, 0)
    }

    /// The one of this width.
    pub fn one(width: u32) -> Option<BitVec> {
        Self::from_u64(width, 1)
    }

    /// All bits set: the largest unsigned number, and minus one.
    pub fn ones(width: u32) -> Option<BitVec> {
        Self::zero(width).map(|z| z.not())
    }

    /// Only the top bit set: the smallest signed number.
    pub fn min_signed(width: u32) -> Option<BitVec> {
        Self::one(width).map(|one| one.shl_by(width - 1))
    }

    /// Every bit but the top one set: the largest signed number.
    pub fn max_signed(width: u32) -> Option<BitVec> {
        Self::min_signed(width).map(|least| least.not())
    }

    /// One bit wide: 1 for true.
    #[inline]
    pub fn from_bool(bit: bool) -> BitVec {
        BitVec { width: 1, bits: Bits::Word(bit as u64) }
    }

    /// Reads `#b…` or `#x…`; `None` if it is neither or too wide.
    pub fn parse(literal: &str) -> Option<BitVec> {
        let (radix, per_digit, digits) = match literal.as_bytes() {
            [b'#', b'b', ..] => (2, 1, &literal[2..]),
            [b'#', b'x', ..] => (16, 4, &literal[2..]),
            _ => return None,
        };
        let width = u32::try_from(digits.len()).ok()?.checked_mul(per_digit)?;
        if !Self::is_width(width) || !digits.bytes().all(|b| (b as char).is_digit(radix)) {
            return None;
        }
        if width <= 64 {
            return Self::from_u64(width, u64::from_str_radix(digits, radix).ok()?);
        }
        Self::from_ubig(width, UBig::from_str_radix(digits, radix).ok()?)
    }

    /// Reads the symbol of `(_ bvN width)`, that is `bv` and a numeral, reduced modulo 2^width.
    pub fn parse_decimal(symbol: &str, width: u32) -> Option<BitVec> {
        let digits = symbol.strip_prefix("bv")?;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        match digits.parse::<u64>() {
            Ok(value) => Self::from_u64(width, value),
            Err(_) => Self::from_ubig(width, UBig::from_str_radix(digits, 10).ok()?),
        }
    }

    /// Number of bits (`bvsize`).
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned number, if it fits a word.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Word(word) => Some(*word),
            Bits::Wide(big) => u64::try_from(big).ok(),
        }
    }

    /// The signed number, if it fits a word.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Bits::Word(word) => Some(sign_extended(*word, self.width)),
            Bits::Wide(_) => i64::try_from(&self.to_signed()).ok(),
        }
    }

    /// The unsigned number, of any size.
    pub fn to_unsigned(&self) -> UBig {
        match &self.bits {
            Bits::Word(word) => UBig::from(*word),
            Bits::Wide(big) => big.clone(),
        }
    }

    /// The two's complement number, of any size.
    pub fn to_signed(&self) -> IBig {
        match &self.bits {
            Bits::Word(word) => IBig::from(sign_extended(*word, self.width)),
            Bits::Wide(big) if self.top_bit() => IBig::from(big.clone()) - (IBig::ONE << self.width as usize),
            Bits::Wide(big) => IBig::from(big.clone()),
        }
    }

    /// `(_ int_to_bv width)`, `int2bv`, `nat2bv`: modulo 2^width; `None` if there is no such width.
    pub fn from_int(width: u32, value: &Int) -> Option<BitVec> {
        match value {
            Int::Small(n) if width <= 64 => Self::from_u64(width, *n as u64),
            _ => Self::from_ibig(width, &value.to_ibig()),
        }
    }

    /// `ubv_to_int`, `bv2nat`
    pub fn ubv_to_int(&self) -> Int {
        match self.to_u64().map(i64::try_from) {
            Some(Ok(small)) => Int::Small(small),
            _ => Int::from(self.to_unsigned()),
        }
    }

    /// `sbv_to_int`
    pub fn sbv_to_int(&self) -> Int {
        self.to_i64().map_or_else(|| Int::from(self.to_signed()), Int::Small)
    }

    /// Bit `index`, counted from the least significant; false above the width (`bit2bool`).
    #[inline]
    pub fn bit(&self, index: u32) -> bool {
        use dashu_base::BitTest;
        match &self.bits {
            Bits::Word(word) => index < 64 && (word >> index) & 1 == 1,
            Bits::Wide(big) => big.bit(index as usize),
        }
    }

    /// The sign bit.
    #[inline]
    pub fn top_bit(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether every bit is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Word(word) => *word == 0,
            Bits::Wide(big) => big.is_zero(),
        }
    }

    /// Whether every bit is 1.
    #[inline]
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Word(word) => *word == mask(self.width),
            // Not trailing_ones: dashu-int 0.6.2 counts the lowest word as all ones, whatever its value.
            Bits::Wide(big) => big.count_ones() == self.width as usize,
        }
    }

    /// Whether only the top bit is 1: the smallest signed number.
    pub fn is_min_signed(&self) -> bool {
        match &self.bits {
            Bits::Word(word) => *word == 1 << (self.width - 1),
            Bits::Wide(big) => big.trailing_zeros() == Some(self.width as usize - 1),
        }
    }

    /// `#b…`, always possible.
    pub fn to_binary(&self) -> String {
        let width = self.width as usize;
        match &self.bits {
            Bits::Word(word) => format!("#b{word:0width$b}"),
            Bits::Wide(big) => padded("#b", width, &big.in_radix(2).to_string()),
        }
    }

    /// `#x…`, when the width is a multiple of four.
    pub fn to_hexadecimal(&self) -> Option<String> {
        let digits = self.width as usize / 4;
        (self.width.is_multiple_of(4)).then(|| match &self.bits {
            Bits::Word(word) => format!("#x{word:0digits$x}"),
            Bits::Wide(big) => padded("#x", digits, &big.in_radix(16).to_string()),
        })
    }

    /// `(_ bvN width)`, always possible.
    pub fn to_decimal(&self) -> String {
        match &self.bits {
            Bits::Word(word) => format!("(_ bv{word} {})", self.width),
            Bits::Wide(big) => format!("(_ bv{big} {})", self.width),
        }
    }

    /// The caller must pass a valid width of at most 64.
    #[inline]
    fn small(width: u32, value: u64) -> BitVec {
        BitVec { width, bits: Bits::Word(value & mask(width)) }
    }

    /// The caller must pass a valid width.
    #[inline]
    fn word(width: u32, value: u64) -> BitVec {
        if width <= 64 {
            return Self::small(width, value);
        }
        BitVec { width, bits: Bits::Wide(UBig::from(value)) }
    }

    /// The caller must pass a valid width.
    fn wide(width: u32, mut value: UBig) -> BitVec {
        value.clear_high_bits(width as usize);
        if width > 64 {
            return BitVec { width, bits: Bits::Wide(value) };
        }
        match u64::try_from(&value) {
            Ok(word) => BitVec { width, bits: Bits::Word(word) },
            Err(_) => unreachable!("at most 64 bits were kept"),
        }
    }
}

/// The two's complement reading of the lowest `width` bits.
#[inline]
fn sign_extended(word: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((word << unused) as i64) >> unused
}

fn padded(prefix: &str, digits: usize, number: &str) -> String {
    let mut text = String::with_capacity(prefix.len() + digits);
    text.push_str(prefix);
    text.extend(std::iter::repeat_n('0', digits.saturating_sub(number.len())));
    text.push_str(number);
    text
}

/// `#b…`, which every solver reads at every width.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_binary())
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
