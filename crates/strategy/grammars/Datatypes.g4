// Algebraic datatypes: an enumeration, lists of integers, trees of lists; constructors, selectors
// (also on the wrong constructor), testers and the acyclicity that equalities between them imply.
// The names avoid z3's built-in sort List.
grammar Datatypes;
decl_types: '(declare-datatypes ((Color 0) (Items 0) (Tree 0)) (((red) (green) (blue)) ((none) (item (first Int) (rest Items))) ((leaf (color Color)) (node (left Tree) (content Items) (right Tree)))))';
color_const: 'red' | 'green' | 'blue';
color_term: color_const | COLOR_VAR
          | '(color' tree_term ')';
int_term: INT_CONST
        | '(first' list_term ')'
        | '(+' int_term int_term ')';
list_const: 'none';
list_term: list_const | LIST_VAR
         | '(item' int_term list_term ')'
         | '(rest' list_term ')'
         | '(content' tree_term ')';
uop_tree: 'left' | 'right';
tree_term: TREE_VAR
         | '(leaf' color_term ')'
         | '(node' tree_term list_term tree_term ')'
         | '(' uop_tree tree_term ')';
list_test: '(_ is none)' | '(_ is item)';
tree_test: '(_ is leaf)' | '(_ is node)';
binop_bool: 'and' | 'or' | '=>' | 'xor';
binop_eq: '=' | 'distinct';
bool_term: '(not' bool_term ')'
         | '(' binop_bool bool_term bool_term ')'
         | '(' binop_eq color_term color_term ')'
         | '(' binop_eq list_term list_term ')'
         | '(' binop_eq tree_term tree_term ')'
         | '(<' int_term int_term ')'
         | '(' list_test list_term ')'
         | '(' tree_test tree_term ')';
decl_csts: declarations;
assert_stmt: '(assert' bool_term ')';
check_sat: '(check-sat)';
start: decl_types decl_csts assert_stmt check_sat;
