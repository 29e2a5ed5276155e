; Reals_Ints: the bridge between Int and Real (SMT-LIB 2.0 to 2.7). The operators of ints.smt and reals.smt
; both apply; where ranks mix, an Int argument is promoted with `to_real`, as both solvers do.
;
; `to_int` rounds towards minus infinity. Nothing is under-specified.
;
; Surprises: both solvers take `to_real`, `to_int` and `is_int` on the other sort too: the identity,
; respectively true; the standard has no such rank.
(theory Reals_Ints :since 2.0 :logic (ints reals differences))

(to_real Int Real :since 2.0 :eval int_to_real)
(to_int Real Int :since 2.0 :eval real_to_int)
(is_int Real Bool :since 2.0 :eval real_is_int)

(to_real Real Real :by (z3 cvc5) :eval real_id :no-mutate)
(to_int Int Int :by (z3 cvc5) :eval int_id :no-mutate)
(is_int Int Bool :by (z3 cvc5) :eval int_is_int :no-mutate)
