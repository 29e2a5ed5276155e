// Mixed real and integer arithmetic: Figure 7.5a of Winterer's thesis.
// Corrected: integer terms use the integer operators (printed: the real ones); `to_int` has its
// argument, a real; `to_real` takes an integer (printed: a real); `mod` on reals is gone; integers
// are compared too, and `is_int` is included, so that the integer half is reachable.
grammar RealInts;
uop_int: '-' | 'abs';
bop_int: '-' | '+' | '*' | 'div' | 'mod';
int_term: INT_CONST | INT_VAR
        | '(' uop_int int_term ')'
        | '(' bop_int int_term int_term ')'
        | '(to_int' real_term ')';
uop_real: 'sin' | 'cos' | 'tan';
binop_real: '-' | '+' | '*' | '/';
real_term: REAL_CONST | REAL_VAR
         | '(' uop_real real_term ')'
         | '(' binop_real real_term real_term ')'
         | '(to_real' int_term ')';
binop_bool: 'and' | 'or' | 'xor' | '=' | 'distinct';
binop_num_bool: '=' | '>' | '<' | '>=' | '<=';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(ite' bool_term bool_term bool_term ')'
         | '(' binop_num_bool real_term real_term ')'
         | '(' binop_num_bool int_term int_term ')'
         | '(is_int' real_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
