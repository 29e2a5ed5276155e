// Real arithmetic with the transcendental functions that z3 and cvc5 share: Figure 7.4e of
// Winterer's thesis.
// Corrected: `mod` on reals is not an operator of the theory, division is; all variables are
// declared; the start rule names the declaration rule as it is defined.
grammar Reals;
binop_bool: 'and' | 'or' | 'xor' | '=' | 'distinct';
binop_real_bool: '=' | '>' | '<' | '>=' | '<=';
uop_real: 'sin' | 'cos' | 'tan';
binop_real: '-' | '+' | '*' | '/';
real_term: REAL_CONST | REAL_VAR
         | '(' uop_real real_term ')'
         | '(' binop_real real_term real_term ')';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(ite' bool_term bool_term bool_term ')'
         | '(' binop_real_bool real_term real_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
