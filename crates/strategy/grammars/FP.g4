// Double-precision floating point: Figure 7.4f of Winterer's thesis.
// Corrected: the constants are written with `fp` and have 11 exponent and 52 significand bits
// (printed: 64); `fp.fma` takes three terms after the rounding mode (printed: two); predicates and
// the two-argument rounding alternative that were printed twice occur once.
grammar FP;
rm: 'RNE' | 'RNA' | 'RTP' | 'RTN' | 'RTZ';
bop_bool: '=' | 'distinct' | 'fp.leq' | 'fp.lt' | 'fp.eq' | 'fp.geq' | 'fp.gt';
uop_fp: 'fp.abs' | 'fp.neg';
bop_fp: 'fp.rem' | 'fp.min' | 'fp.max';
bop_rm_fp: 'fp.add' | 'fp.sub' | 'fp.mul' | 'fp.div';
uop_rm_fp: 'fp.sqrt' | 'fp.roundToIntegral';
fp_term: FP_CONST | FP_VAR
       | '(' uop_fp fp_term ')'
       | '(' bop_rm_fp rm fp_term fp_term ')'
       | '(fp.fma' rm fp_term fp_term fp_term ')'
       | '(' uop_rm_fp rm fp_term ')'
       | '(' bop_fp fp_term fp_term ')';
bool_term: '(' bop_bool fp_term fp_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
