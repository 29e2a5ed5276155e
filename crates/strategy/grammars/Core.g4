// Booleans: Figure 7.4a of Winterer's thesis.
// Corrected: the printed declaration block declares one variable, a or b, while terms use both;
// here both are declared. The printed double parenthesis before an operator is single.
grammar Core;
binop_bool: 'and' | 'or' | 'xor' | '=' | 'distinct';
bool_term: BOOL_CONST | BOOL_VAR
         | '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(ite' bool_term bool_term bool_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
