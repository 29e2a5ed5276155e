// Incremental scripts: assertions and check-sats in any order, frames opened and closed in balance
// (a frame left open at the end is not needed: what follows it can as well stand inside). Every
// script ends with a check-sat. Terms mix booleans and integers.
grammar Incremental;
int_term: INT_CONST | INT_VAR
        | '(+' int_term int_term ')'
        | '(*' int_term int_term ')'
        | '(ite' bool_term int_term int_term ')';
binop_bool: 'and' | 'or' | 'xor' | '=';
binop_int_bool: '=' | '<';
bool_term: BOOL_VAR
         | '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(' binop_int_bool int_term int_term ')';
literal: BOOL_VAR | '(not' BOOL_VAR ')';
command: '(assert' bool_term ')'
       | '(check-sat)'
       | '(check-sat-assuming' '(' literal '))'
       | '(push 1)' commands '(pop 1)';
commands: command
        | command commands;
decl_csts: declarations;
last_check: '(check-sat)';
start: decl_csts commands last_check;
