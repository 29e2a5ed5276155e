//! Literals as values.
//!
//! In: a literal's spelling and sort. Out: its value, or unknown if values cannot represent it.

use super::cost::of_product;
use super::{Evaluator, Outcome, Unknown};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;
use crate::value::text::Text;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::Lit;
use std::sync::Arc;

impl Evaluator<'_> {
    pub(super) fn literal(&self, lit: Lit, text: Symbol, sort: SortId) -> Outcome {
        let bytes = self.pool.bytes(text);
        self.budget.spend(of_product(bytes.len() as u64 / 16).saturating_mul(4))?;
        let word = || std::str::from_utf8(bytes).ok();
        let value = match lit {
            Lit::Numeral | Lit::Decimal if sort == SortId::REAL => {
                Rat::parse(bytes).map(|r| Value::Real(Real::Rat(r)))
            }
            Lit::Numeral | Lit::Decimal => Int::parse(bytes).map(Value::Int),
            Lit::Hex | Lit::Binary => word().and_then(BitVec::parse).map(Value::BitVec),
            Lit::BvDecimal => match *self.pool.sort(sort) {
                Sort::BitVec(width) => word()
                    .and_then(|digits| BitVec::parse_decimal(&format!("bv{digits}"), width))
                    .map(Value::BitVec),
                _ => None,
            },
            Lit::String => Some(Value::String(Text::parse(bytes))),
            Lit::Char => word()
                .and_then(|w| u32::from_str_radix(w.trim_start_matches("#x"), 16).ok())
                .and_then(|code| Text::try_from_codes(vec![code]))
                .map(Value::String),
            Lit::Field => self.field_literal(bytes, sort),
            Lit::Algebraic => {
                return crate::model::algebraic::real(bytes).map(Value::Real).map_err(|_| Unknown::TooHard);
            }
            Lit::Abstract => Some(Value::Abstract { sort, name: text }),
        };
        value.ok_or(Unknown::TooLarge)
    }

    fn field_literal(&self, bytes: &[u8], sort: SortId) -> Option<Value> {
        let Sort::Field(order) = self.pool.sort(sort) else { return None };
        let order = Int::parse(self.pool.bytes(*order))?;
        let value = match bytes.strip_prefix(b"-") {
            Some(digits) => -Int::parse(digits)?,
            None => Int::parse(bytes)?,
        };
        Some(Value::Field(Arc::new((value.modulo(&order)?, order))))
    }
}
