//! FixedSizeBitVectors. All operations are total, except that z3's inner divisions (`bvudiv_i` and so on) are open at
//! zero.

use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use smtlib::sort::Sort;

pub(super) const FUNCTIONS: Functions = &[
    ("bv_concat", bv_concat),
    ("bv_extract", bv_extract),
    ("bv_not", bv_not),
    ("bv_neg", bv_neg),
    ("bv_and", bv_and),
    ("bv_or", bv_or),
    ("bv_add", bv_add),
    ("bv_mul", bv_mul),
    ("bv_udiv", |cx, a| divide(cx, a, BitVec::udiv)),
    ("bv_urem", |cx, a| divide(cx, a, BitVec::urem)),
    ("bv_sdiv", |cx, a| divide(cx, a, BitVec::sdiv)),
    ("bv_srem", |cx, a| divide(cx, a, BitVec::srem)),
    ("bv_smod", |cx, a| divide(cx, a, BitVec::smod)),
    ("bv_shl", bv_shl),
    ("bv_lshr", bv_lshr),
    ("bv_ashr", bv_ashr),
    ("bv_nand", bv_nand),
    ("bv_nor", bv_nor),
    ("bv_xor", bv_xor),
    ("bv_xnor", bv_xnor),
    ("bv_comp", bv_comp),
    ("bv_sub", bv_sub),
    ("bv_repeat", bv_repeat),
    ("bv_zero_extend", bv_zero_extend),
    ("bv_sign_extend", bv_sign_extend),
    ("bv_rotate_left", bv_rotate_left),
    ("bv_rotate_right", bv_rotate_right),
    ("bv_ult", bv_ult),
    ("bv_ule", bv_ule),
    ("bv_ugt", bv_ugt),
    ("bv_uge", bv_uge),
    ("bv_slt", bv_slt),
    ("bv_sle", bv_sle),
    ("bv_sgt", bv_sgt),
    ("bv_sge", bv_sge),
    ("bv_nego", bv_nego),
    ("bv_uaddo", bv_uaddo),
    ("bv_saddo", bv_saddo),
    ("bv_umulo", bv_umulo),
    ("bv_smulo", bv_smulo),
    ("bv_usubo", bv_usubo),
    ("bv_ssubo", bv_ssubo),
    ("bv_sdivo", bv_sdivo),
    ("bv_to_nat", bv_to_nat),
    ("bv_to_int", bv_to_int),
    ("int_to_bv", int_to_bv),
    ("bv_redor", bv_redor),
    ("bv_redand", bv_redand),
    ("bv_ite", bv_ite),
    ("bv_ext_rotate_left", bv_ext_rotate_left),
    ("bv_ext_rotate_right", bv_ext_rotate_right),
    ("bv_umul_noovfl", bv_umul_noovfl),
    ("bv_smul_noovfl", bv_smul_noovfl),
    ("bv_smul_noudfl", bv_smul_noudfl),
    ("bv_bit", bv_bit),
];

pure! {
    bv_not(BitVec(a)) => a.not();
    bv_neg(BitVec(a)) => a.neg();
    bv_and(BitVec(a), BitVec(b)) => a.and(b);
    bv_or(BitVec(a), BitVec(b)) => a.or(b);
    bv_add(BitVec(a), BitVec(b)) => a.add(b);
    bv_mul(BitVec(a), BitVec(b)) => a.mul(b);
    bv_shl(BitVec(a), BitVec(b)) => a.shl(b);
    bv_lshr(BitVec(a), BitVec(b)) => a.lshr(b);
    bv_ashr(BitVec(a), BitVec(b)) => a.ashr(b);
    bv_nand(BitVec(a), BitVec(b)) => a.nand(b);
    bv_nor(BitVec(a), BitVec(b)) => a.nor(b);
    bv_xor(BitVec(a), BitVec(b)) => a.xor(b);
    bv_xnor(BitVec(a), BitVec(b)) => a.xnor(b);
    bv_comp(BitVec(a), BitVec(b)) => a.comp(b);
    bv_sub(BitVec(a), BitVec(b)) => a.sub(b);
    bv_ult(BitVec(a), BitVec(b)) => a.ult(b);
    bv_ule(BitVec(a), BitVec(b)) => a.ule(b);
    bv_ugt(BitVec(a), BitVec(b)) => a.ugt(b);
    bv_uge(BitVec(a), BitVec(b)) => a.uge(b);
    bv_slt(BitVec(a), BitVec(b)) => a.slt(b);
    bv_sle(BitVec(a), BitVec(b)) => a.sle(b);
    bv_sgt(BitVec(a), BitVec(b)) => a.sgt(b);
    bv_sge(BitVec(a), BitVec(b)) => a.sge(b);
    bv_nego(BitVec(a)) => a.nego();
    bv_uaddo(BitVec(a), BitVec(b)) => a.uaddo(b);
    bv_saddo(BitVec(a), BitVec(b)) => a.saddo(b);
    bv_umulo(BitVec(a), BitVec(b)) => a.umulo(b);
    bv_smulo(BitVec(a), BitVec(b)) => a.smulo(b);
    bv_usubo(BitVec(a), BitVec(b)) => a.usubo(b);
    bv_ssubo(BitVec(a), BitVec(b)) => a.ssubo(b);
    bv_sdivo(BitVec(a), BitVec(b)) => a.sdivo(b);
    bv_to_nat(BitVec(a)) => a.ubv_to_int();
    bv_to_int(BitVec(a)) => a.sbv_to_int();
    bv_redor(BitVec(a)) => a.redor();
    bv_redand(BitVec(a)) => a.redand();
    bv_ite(BitVec(c), BitVec(a), BitVec(b)) => c.ite(a, b).clone();
    bv_ext_rotate_left(BitVec(a), BitVec(b)) => a.ext_rotate_left(b);
    bv_ext_rotate_right(BitVec(a), BitVec(b)) => a.ext_rotate_right(b);
    bv_umul_noovfl(BitVec(a), BitVec(b)) => a.umul_noovfl(b);
    bv_smul_noovfl(BitVec(a), BitVec(b)) => a.smul_noovfl(b);
    bv_smul_noudfl(BitVec(a), BitVec(b)) => a.smul_noudfl(b);
}

fn wide(result: Option<BitVec>) -> Outcome {
    result.map(Value::BitVec).ok_or(Unknown::TooLarge)
}

with_context! {
    bv_concat(_cx, _args, BitVec(a), BitVec(b)) => wide(a.concat(b));
    bv_extract(cx, _args, BitVec(a)) => wide(a.extract(cx.small_index(0)?, cx.small_index(1)?));
    bv_repeat(cx, _args, BitVec(a)) => wide(a.repeat(cx.small_index(0)?));
    bv_zero_extend(cx, _args, BitVec(a)) => wide(a.zero_extend(cx.small_index(0)?));
    bv_sign_extend(cx, _args, BitVec(a)) => wide(a.sign_extend(cx.small_index(0)?));
    bv_rotate_left(cx, _args, BitVec(a)) => Ok(Value::BitVec(a.rotate_left(cx.index(0)?)));
    bv_rotate_right(cx, _args, BitVec(a)) => Ok(Value::BitVec(a.rotate_right(cx.index(0)?)));
    bv_bit(cx, _args, BitVec(a)) => Ok(Value::Bool(a.bit(cx.small_index(0)?)));
    int_to_bv(cx, _args, Int(n)) => match *cx.eval.pool.sort(cx.sort) {
        Sort::BitVec(width) => wide(BitVec::from_int(width, n)),
        _ => Err(Unknown::TooLarge),
    };
}

fn divide(cx: &mut Cx<'_, '_>, args: &[Value], operate: fn(&BitVec, &BitVec) -> BitVec) -> Outcome {
    let [Value::BitVec(a), Value::BitVec(b)] = args else { return Err(Unknown::Generic) };
    if b.is_zero() && cx.op.row().under.is_some() {
        return cx.open(args);
    }
    Ok(Value::BitVec(operate(a, b)))
}
