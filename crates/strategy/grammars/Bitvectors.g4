// Bit-vectors of width 64: Figure 7.4c of Winterer's thesis.
// Corrected: `bnot` is `bvnot`, `bvlsr` is `bvlshr`; the unused real comparisons are gone; all
// variables are declared; operators stand in single parentheses.
grammar Bitvectors;
uop_bv: 'bvnot' | 'bvneg';
bop_bv: 'bvand' | 'bvor' | 'bvadd' | 'bvmul' | 'bvudiv' | 'bvurem' | 'bvshl' | 'bvlshr';
bv_term: BV_CONST | BV_VAR
       | '(' uop_bv bv_term ')'
       | '(' bop_bv bv_term bv_term ')';
int_term: INT_CONST | '(bv2nat' bv_term ')';
binop_bool: 'and' | 'or' | 'xor' | '=' | 'distinct';
binop_bv_bool: 'bvult' | '=' | 'distinct';
binop_bv_int: '=' | 'distinct';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(ite' bool_term bool_term bool_term ')'
         | '(' binop_bv_bool bv_term bv_term ')'
         | '(' binop_bv_int int_term int_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
