// Arrays where solvers combine theories they rarely combine: indexed by floats (two zeros, many
// NaN patterns, one NaN), by rounding modes (five values), by booleans (two values), and arrays as
// elements. Small floats, so that the finite spaces stay small.
grammar MixedArrays;
bool_const: 'true' | 'false';
fp_const: '(_ +zero 3 5)' | '(_ -zero 3 5)' | '(_ NaN 3 5)' | '(_ +oo 3 5)';
rm_const: 'RNE' | 'RTP' | 'RTZ';
uop_fp: 'fp.neg' | 'fp.abs';
bop_fp: 'fp.add' | 'fp.mul' | 'fp.div';
fp_term: fp_const | FP_VAR
       | '(' uop_fp fp_term ')'
       | '(' bop_fp rm_term fp_term fp_term ')'
       | '(select' arr_rm_term rm_term ')'
       | '(select' arr_bool_term bool_term ')';
rm_term: rm_const | RM_VAR
       | '(select' arr_fp_term fp_term ')';
arr_fp_term: ARR_FP_VAR
           | '(store' arr_fp_term fp_term rm_term ')';
arr_rm_term: ARR_RM_VAR
           | '(store' arr_rm_term rm_term fp_term ')'
           | '(select' arr_arr_term arr_bool_term ')';
arr_bool_term: ARR_BOOL_VAR
             | '(store' arr_bool_term bool_term fp_term ')'
             | '((as const (Array Bool (_ FloatingPoint 3 5)))' fp_term ')';
arr_arr_term: ARR_ARR_VAR
            | '(store' arr_arr_term arr_bool_term arr_rm_term ')';
binop_bool: 'and' | 'or' | 'xor';
binop_eq: '=' | 'distinct';
binop_fp_bool: '=' | 'distinct' | 'fp.eq' | 'fp.lt';
bool_term: bool_const
         | '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(' binop_fp_bool fp_term fp_term ')'
         | '(' binop_eq rm_term rm_term ')'
         | '(' binop_eq arr_fp_term arr_fp_term ')'
         | '(' binop_eq arr_rm_term arr_rm_term ')'
         | '(' binop_eq arr_bool_term arr_bool_term ')'
         | '(' binop_eq arr_arr_term arr_arr_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
