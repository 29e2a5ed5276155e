; HO-Core: functions as values (SMT-LIB 2.7; cvc5's HO_ logics before it).
;
; The sort (-> A B C) curries: (-> A (-> B C)) is the same sort in cvc5. A function applied to fewer
; arguments than it takes is again a function. `lambda` is syntax, not a row. Applying a declared function
; or a variable of sort -> by juxtaposition is handled by the type checker; the rows are explicit application.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - cvc5 writes application `@` and rejects 2.7's (_ f x); z3 takes (_ f x) and rejects `@`.
; - z3 reads (-> A B C) as the array sort (Array A B C): (select f x) works there, partial application does not.
; - in z3 a lambda is an array, in cvc5 a function: set.map, seq.map and friends differ in rank accordingly.
(theory HO-Core :since 2.7)

(par (A B) (@ (-> A B) A B :by (cvc5) :eval fun_apply))
(par (A B C) (@ (-> A B C) A (-> B C) :by (cvc5) :eval fun_apply))
(par (A B C) (@ (-> A B C) A B C :by (cvc5) :eval fun_apply))
(par (A B C D) (@ (-> A B C D) A (-> B C D) :by (cvc5) :eval fun_apply))
(par (A B C D) (@ (-> A B C D) A B (-> C D) :by (cvc5) :eval fun_apply))
(par (A B C D) (@ (-> A B C D) A B C D :by (cvc5) :eval fun_apply))
