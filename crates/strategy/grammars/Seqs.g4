// Sequences of integers, with the operators that z3 and cvc5 both take.
grammar Seqs;
seq_const: '(as seq.empty (Seq Int))';
seq_term: seq_const | SEQ_VAR
        | '(seq.unit' int_term ')'
        | '(seq.++' seq_term seq_term ')'
        | '(seq.extract' seq_term int_term int_term ')'
        | '(seq.at' seq_term int_term ')'
        | '(seq.replace' seq_term seq_term seq_term ')';
bop_int: '+' | '-';
int_term: INT_CONST | INT_VAR
        | '(seq.len' seq_term ')'
        | '(seq.nth' seq_term int_term ')'
        | '(seq.indexof' seq_term seq_term int_term ')'
        | '(' bop_int int_term int_term ')';
binop_bool: 'and' | 'or' | 'xor';
binop_seq_bool: '=' | 'distinct' | 'seq.prefixof' | 'seq.suffixof' | 'seq.contains';
binop_int_bool: '=' | '<';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(' binop_seq_bool seq_term seq_term ')'
         | '(' binop_int_bool int_term int_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
