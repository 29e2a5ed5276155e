//! Which operators of the theory tables have a machine form, and which form that is.
//!
//! A row is identified by the name of its evaluation, so that all spellings of an operator are treated alike. Rows
//! without a machine form become one call of the evaluator.

use super::array::{Arr, Low, Polarity};
use super::graph::{NodeId, Prim};
use super::lower::{Lowered, Lowering};
use smtlib::sort::{Sort, SortId};
use smtlib::term::{Index, IndicesId, TermId};
use smtlib::theory::OpId;

/// A machine form.
enum Form {
    /// Folded from the left.
    Fold(Prim),
    /// Holds between neighbours; the flag swaps them.
    Chain(Prim, bool),
    /// One argument.
    One(Prim),
    /// The result negated, bit by bit.
    Complement(Prim),
}

impl Lowering<'_> {
    pub fn operator(
        &mut self,
        term: TermId,
        op: OpId,
        indices: IndicesId,
        polarity: Polarity,
    ) -> Lowered<Low> {
        let args = self.pool.args(term).to_vec();
        let sort = self.pool.sort_of(term);
        match (op.row().eval.unwrap_or(""), &args[..]) {
            ("core_not", &[arg]) => {
                let node = self.scalar(arg, polarity.flipped())?;
                Ok(Low::Scalar(self.graph.not(node)))
            }
            (name @ ("core_and" | "core_or"), _) => {
                let parts = self.truths(&args, polarity)?;
                let and = name == "core_and";
                Ok(Low::Scalar(if and { self.graph.and(&parts) } else { self.graph.or(&parts) }))
            }
            ("core_implies", [premises @ .., conclusion]) => {
                let mut parts = vec![];
                for &premise in premises {
                    let node = self.scalar(premise, polarity.flipped())?;
                    parts.push(self.graph.not(node));
                }
                parts.push(self.scalar(*conclusion, polarity)?);
                Ok(Low::Scalar(self.graph.or(&parts)))
            }
            ("core_xor", _) => {
                let parts = self.truths(&args, Polarity::Both)?;
                Ok(Low::Scalar(self.fold(Prim::Xor, parts, SortId::BOOL)))
            }
            ("core_ite", &[condition, then, otherwise]) => {
                let condition = self.scalar(condition, Polarity::Both)?;
                let then = self.term(then, polarity)?;
                let otherwise = self.term(otherwise, polarity)?;
                self.choose(condition, then, otherwise)
            }
            ("core_eq", _) => self.equality(&args, polarity),
            ("core_distinct", _) => self.distinct(&args, polarity),
            ("array_select", &[array, index]) if self.is_lazy(self.pool.sort_of(array)) => {
                let Low::Array(array) = self.term(array, Polarity::Both)? else {
                    return self.unsupported("an array of two kinds");
                };
                let index = self.scalar(index, Polarity::Both)?;
                self.read(array, index, sort)
            }
            ("array_store", &[array, index, value]) if self.is_lazy(sort) => {
                let Low::Array(array) = self.term(array, Polarity::Both)? else {
                    return self.unsupported("an array of two kinds");
                };
                let index = self.scalar(index, Polarity::Both)?;
                let value = self.term(value, Polarity::Both)?;
                Ok(Low::Array(self.array(Arr::Store(array, index, value))))
            }
            ("array_const", &[value]) if self.is_lazy(sort) => {
                let value = self.term(value, Polarity::Both)?;
                Ok(Low::Array(self.array(Arr::Const(value))))
            }
            (name, _) => {
                let nodes = self.scalars(&args)?;
                self.computed(name, op, indices, nodes, sort).map(Low::Scalar)
            }
        }
    }

    fn truths(&mut self, terms: &[TermId], polarity: Polarity) -> Lowered<Vec<NodeId>> {
        terms.iter().map(|&term| self.scalar(term, polarity)).collect()
    }

    fn fold(&mut self, prim: Prim, parts: Vec<NodeId>, sort: SortId) -> NodeId {
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else { unreachable!("operators here have arguments") };
        parts.fold(first, |sum, next| self.graph.apply(prim, &[sum, next], sort))
    }

    fn equality(&mut self, args: &[TermId], polarity: Polarity) -> Lowered<Low> {
        let sort = self.pool.sort_of(args[0]);
        let lows: Vec<Low> =
            args.iter().map(|&arg| self.term(arg, Polarity::Both)).collect::<Lowered<_>>()?;
        let mut parts = vec![];
        for pair in lows.windows(2) {
            parts.push(self.equal_low(&pair[0], &pair[1], sort, polarity)?);
        }
        Ok(Low::Scalar(self.graph.and(&parts)))
    }

    fn distinct(&mut self, args: &[TermId], polarity: Polarity) -> Lowered<Low> {
        let sort = self.pool.sort_of(args[0]);
        let lows: Vec<Low> =
            args.iter().map(|&arg| self.term(arg, Polarity::Both)).collect::<Lowered<_>>()?;
        let mut parts = vec![];
        for (n, a) in lows.iter().enumerate() {
            for b in &lows[..n] {
                let equal = self.equal_low(a, b, sort, polarity.flipped())?;
                parts.push(self.graph.not(equal));
            }
        }
        Ok(Low::Scalar(self.graph.and(&parts)))
    }

    /// An operator on codes: by a machine operation if there is one, else by a call.
    fn computed(
        &mut self,
        name: &str,
        op: OpId,
        indices: IndicesId,
        args: Vec<NodeId>,
        sort: SortId,
    ) -> Lowered<NodeId> {
        let narrow = args.iter().all(|&arg| self.is_machine(self.graph.sort(arg))) && self.is_machine(sort);
        let form = if narrow && !args.is_empty() { self.form(name, indices, &args, sort) } else { None };
        let Some(form) = form else { return self.evaluated(op, indices, args, sort) };
        Ok(match form {
            Form::One(prim) => self.graph.apply(prim, &args, sort),
            Form::Fold(prim) => self.fold(prim, args, sort),
            Form::Complement(prim) => {
                let value = self.fold(prim, args, sort);
                let width = self.width(sort);
                self.graph.apply(Prim::BvNot(width), &[value], sort)
            }
            Form::Chain(prim, swapped) => {
                let mut parts = vec![];
                for pair in args.windows(2) {
                    let pair = if swapped { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                    parts.push(self.graph.apply(prim, &pair, SortId::BOOL));
                }
                self.graph.and(&parts)
            }
        })
    }

    /// Whether codes of the sort are the values themselves.
    fn is_machine(&self, sort: SortId) -> bool {
        match self.pool.sort(sort) {
            Sort::Bool | Sort::Int => true,
            Sort::BitVec(width) => *width <= 64,
            _ => false,
        }
    }

    fn width(&self, sort: SortId) -> u8 {
        match self.pool.sort(sort) {
            Sort::BitVec(width) => *width as u8,
            _ => 64,
        }
    }

    fn index(&self, indices: IndicesId, n: usize) -> Option<u8> {
        match self.pool.index_list(indices).get(n)? {
            Index::Num(number) => u8::try_from(*number).ok(),
            _ => None,
        }
    }

    fn form(&self, name: &str, indices: IndicesId, args: &[NodeId], sort: SortId) -> Option<Form> {
        let w = self.width(self.graph.sort(args[0]));
        let two = args.len() == 2;
        Some(match name {
            "bv_not" => Form::One(Prim::BvNot(w)),
            "bv_neg" => Form::One(Prim::BvNeg(w)),
            "bv_and" => Form::Fold(Prim::BvAnd),
            "bv_or" => Form::Fold(Prim::BvOr),
            "bv_xor" => Form::Fold(Prim::BvXor),
            "bv_add" => Form::Fold(Prim::BvAdd(w)),
            "bv_mul" => Form::Fold(Prim::BvMul(w)),
            "bv_sub" if two => Form::Fold(Prim::BvSub(w)),
            "bv_nand" if two => Form::Complement(Prim::BvAnd),
            "bv_nor" if two => Form::Complement(Prim::BvOr),
            "bv_xnor" if two => Form::Complement(Prim::BvXor),
            "bv_udiv" if two => Form::Fold(Prim::BvUdiv(w)),
            "bv_urem" if two => Form::Fold(Prim::BvUrem(w)),
            "bv_shl" if two => Form::Fold(Prim::BvShl(w)),
            "bv_lshr" if two => Form::Fold(Prim::BvLshr(w)),
            "bv_ashr" if two => Form::Fold(Prim::BvAshr(w)),
            "bv_ult" => Form::Chain(Prim::BvUlt, false),
            "bv_ule" => Form::Chain(Prim::BvUle, false),
            "bv_ugt" => Form::Chain(Prim::BvUlt, true),
            "bv_uge" => Form::Chain(Prim::BvUle, true),
            "bv_slt" => Form::Chain(Prim::BvSlt(w), false),
            "bv_sle" => Form::Chain(Prim::BvSle(w), false),
            "bv_sgt" => Form::Chain(Prim::BvSlt(w), true),
            "bv_sge" => Form::Chain(Prim::BvSle(w), true),
            "bv_concat" if two => Form::Fold(Prim::Concat(self.width(self.graph.sort(args[1])))),
            "bv_extract" => {
                let (high, low) = (self.index(indices, 0)?, self.index(indices, 1)?);
                Form::One(Prim::Extract(low, high - low + 1))
            }
            "bv_zero_extend" => Form::One(Prim::Extract(0, w)),
            "bv_sign_extend" => Form::One(Prim::SignExtend(w, self.width(sort))),
            "int_add" => Form::Fold(Prim::IntAdd),
            "int_sub" => Form::Fold(Prim::IntSub),
            "int_mul" => Form::Fold(Prim::IntMul),
            "int_neg" => Form::One(Prim::IntNeg),
            "int_le" => Form::Chain(Prim::IntLe, false),
            "int_lt" => Form::Chain(Prim::IntLt, false),
            "int_ge" => Form::Chain(Prim::IntLe, true),
            "int_gt" => Form::Chain(Prim::IntLt, true),
            _ => return None,
        })
    }
}
