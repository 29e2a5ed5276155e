; Reals: the real numbers (SMT-LIB 2.0 to 2.7).
;
; Under-specified: `/` by zero, one unknown but fixed function of the numerator; `^` outside the cases
; listed. (/ 1 3) of two numerals is the constant one third. `abs` on Real is an extension both take.
; Int arguments are promoted by z3 and cvc5 in arithmetic and comparisons (see reals_ints.smt).
;
; Surprises: cvc5 wants both arguments of `^` of one sort ((^ x 2.0), not (^ x 2)) and a constant exponent.
; cvc5's /_total gives 0 for divisor 0.
(theory Reals :since 2.0 :logic (reals differences) :standard-only)

(- Real Real :since 2.0 :eval real_neg)
(- Real Real Real :left-assoc :since 2.0 :eval real_sub)
(+ Real Real Real :left-assoc :since 2.0 :eval real_add)
(* Real Real Real :arith product :left-assoc :since 2.0 :eval real_mul)
(/ Real Real Real :arith quotient :left-assoc :since 2.0 :eval real_div :under "divisor 0")
(<= Real Real Bool :arith comparison :chainable :since 2.0 :eval real_le)
(< Real Real Bool :arith comparison :chainable :since 2.0 :eval real_lt)
(>= Real Real Bool :arith comparison :chainable :since 2.0 :eval real_ge)
(> Real Real Bool :arith comparison :chainable :since 2.0 :eval real_gt)

(abs Real Real :by (z3 cvc5) :eval real_abs)
(^ Real Real Real :constant 1 :disputed "releases disagree about powers such as 0^0" :by (z3 cvc5) :eval real_pow :under "exponent not a non-negative integer; 0^0 in z3")

; z3 only
(+ Real Real :by (z3 yices) :eval real_add :no-mutate)
(* Real Real :arith product :by (z3 yices) :eval real_mul :no-mutate)
(<= Real Bool :arith comparison :by (z3) :eval real_le :no-mutate)
(< Real Bool :arith comparison :by (z3) :eval real_lt :no-mutate)
(>= Real Bool :arith comparison :by (z3) :eval real_ge :no-mutate)
(> Real Bool :arith comparison :by (z3) :eval real_gt :no-mutate)
(/0 Real Real Real :by (z3) :no-mutate :under "always")

; cvc5 only
(/_total Real Real Real :by (cvc5) :eval real_div_total)
