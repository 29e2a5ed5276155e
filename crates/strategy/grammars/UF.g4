// Uninterpreted functions: a sort U with constants, a unary and a binary function on it, a
// predicate, and functions between U and the integers so that theories must exchange equalities.
grammar UF;
binop_bool: 'and' | 'or' | '=>' | 'xor';
binop_eq: '=' | 'distinct';
binop_int_bool: '=' | '<' | '<=';
bop_int: '+' | '-';
u_term: U_VAR
      | '(f' u_term ')'
      | '(g' u_term u_term ')'
      | '(h' int_term ')'
      | '(ite' bool_term u_term u_term ')';
int_term: INT_CONST
        | '(w' u_term ')'
        | '(' bop_int int_term int_term ')';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(' binop_eq u_term u_term ')'
         | '(p' u_term ')'
         | '(' binop_int_bool int_term int_term ')';
decl_sorts: '(declare-sort U 0)';
decl_csts: declarations;
decl_funs: '(declare-fun f (U) U)' '(declare-fun g (U U) U)' '(declare-fun h (Int) U)'
           '(declare-fun w (U) Int)' '(declare-fun p (U) Bool)';
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_sorts decl_csts decl_funs assert_stmt check_sat;
