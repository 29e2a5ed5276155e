// Finite sets of small bit-vectors with cardinality, as cvc5 writes them. The element type is
// finite, so cardinalities are bounded. Complement and universe are left out: cvc5 takes them only
// with an experimental option.
grammar Sets;
logic: '(set-logic ALL)';
elem_term: ELEM_CONST | ELEM_VAR
         | '(bvadd' elem_term elem_term ')'
         | '(bvnot' elem_term ')';
set_const: '(as set.empty (Set (_ BitVec 2)))';
bop_set: 'set.union' | 'set.inter' | 'set.minus';
set_term: set_const | SET_VAR
        | '(set.singleton' elem_term ')'
        | '(set.insert' elem_term set_term ')'
        | '(' bop_set set_term set_term ')';
int_term: INT_CONST
        | '(set.card' set_term ')'
        | '(+' int_term int_term ')';
binop_bool: 'and' | 'or' | 'xor';
binop_set_bool: '=' | 'distinct' | 'set.subset';
binop_elem_bool: '=' | 'bvult';
binop_int_bool: '=' | '<';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(' binop_set_bool set_term set_term ')'
         | '(set.member' elem_term set_term ')'
         | '(' binop_elem_bool elem_term elem_term ')'
         | '(' binop_int_bool int_term int_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: logic decl_csts assert_stmt check_sat;
