// Unicode strings and regular expressions: Figure 7.5b of Winterer's thesis.
// Corrected: `str.+` is `str.++` and is used; the binary `re.+` is `re.++`; `re.range` takes two
// strings (printed: one); `re.*` takes any regular expression (printed: a constant); the empty
// string's quotes are complete; all variables are declared.
grammar Strings;
regex_const: 're.none' | 're.all' | 're.allchar';
top_str: 'str.replace' | 'str.replace_all';
uop_regex: 're.comp' | 're.+' | 're.opt' | 're.*';
bop_regex: 're.union' | 're.inter' | 're.++' | 're.diff';
binop_bool: 'and' | 'or' | 'xor' | '=' | 'distinct';
bop_str_bool: '=' | 'distinct' | 'str.<=' | 'str.prefixof' | 'str.suffixof' | 'str.contains';
str_term: STR_CONST | STR_VAR
        | '(str.++' str_term str_term ')'
        | '(' top_str str_term str_term str_term ')'
        | '(str.at' str_term int_term ')'
        | '(str.substr' str_term int_term int_term ')'
        | '(str.from_int' int_term ')';
int_term: INT_CONST
        | '(str.to_int' str_term ')'
        | '(str.indexof' str_term str_term int_term ')';
regex_term: regex_const
          | '(' uop_regex regex_term ')'
          | '(' bop_regex regex_term regex_term ')'
          | '(str.to_re' str_term ')'
          | '(re.range' str_term str_term ')';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(ite' bool_term bool_term bool_term ')'
         | '(' bop_str_bool str_term str_term ')'
         | '(str.is_digit' str_term ')'
         | '(str.in_re' str_term regex_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_csts assert_stmt check_sat;
