// Quantifiers over integers, nested at most two deep. Each depth has its own rules, so that a
// bound variable occurs only in its scope; x is bound outside, y inside.
grammar Quantifiers;
quantifier: 'forall' | 'exists';
binop_bool: 'and' | 'or' | '=>' | '=';
binop_int_bool: '=' | '<' | '<=';
bop_int: '+' | '-' | '*' | 'div' | 'mod';
int_free: INT_CONST | INT_VAR
        | '(' bop_int int_free int_free ')';
int_x: INT_CONST | INT_VAR | 'x'
     | '(' bop_int int_x int_x ')';
int_xy: INT_CONST | INT_VAR | 'x' | 'y'
      | '(' bop_int int_xy int_xy ')';
bool_xy: '(not' bool_xy ')'
       | '(' binop_bool bool_xy bool_xy ')'
       | '(' binop_int_bool int_xy int_xy ')';
bool_x: '(not' bool_x ')'
      | '(' binop_bool bool_x bool_x ')'
      | '(' binop_int_bool int_x int_x ')'
      | '(' quantifier '((y Int))' bool_xy ')';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(' binop_int_bool int_free int_free ')'
         | '(' quantifier '((x Int))' bool_x ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
