// Arrays from bit-vectors to bit-vectors: Figures 7.3a and 7.4b of Winterer's thesis.
// Corrected: `bnot` is `bvnot`, `bvlsr` is `bvlshr`; a store may also be made on a stored array
// (printed: on a variable only), because the printed rule never nests stores.
grammar Arrays;
uop_bv: 'bvnot' | 'bvneg';
bop_bv: 'bvand' | 'bvor' | 'bvadd' | 'bvmul' | 'bvudiv' | 'bvurem' | 'bvshl' | 'bvlshr';
bv_term: BV_CONST | BV_VAR
       | '(' uop_bv bv_term ')'
       | '(' bop_bv bv_term bv_term ')'
       | '(select' arr_term bv_term ')';
arr_term: ARR_VAR
        | '(store' arr_term bv_term bv_term ')';
bop_arr: '=' | 'distinct';
bool_term: '(' bop_arr arr_term arr_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
