// Integer arithmetic: Figure 7.4d of Winterer's thesis.
// Corrected: all variables are declared, not one of them; operators stand in single parentheses.
grammar Ints;
uop_int: '-' | 'abs';
bop_int: '-' | '+' | '*' | 'div' | 'mod';
int_term: INT_CONST | INT_VAR
        | '(' uop_int int_term ')'
        | '(' bop_int int_term int_term ')';
binop_bool: 'and' | 'or' | 'xor' | '=' | 'distinct';
binop_int_bool: '=' | '>' | '<' | '>=' | '<=';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(ite' bool_term bool_term bool_term ')'
         | '(' binop_int_bool int_term int_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
