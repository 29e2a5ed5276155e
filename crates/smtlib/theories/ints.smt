; Ints: the integers (SMT-LIB 2.0 to 2.7), with what z3 and cvc5 add.
;
; Division is Euclidean: x = y*(div x y) + (mod x y) with 0 <= (mod x y) < |y|. Under-specified: `div` and
; `mod` (and z3's `rem`) by zero, and `^` with a negative exponent. Each is one unknown but fixed function.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - no z3 from 4.8.5 to 5.4.0 reads the standard's (_ divisible n), with any logic or none; cvc5 and yices do.
; - the sort of z3's (^ i j) is Int in 4.8.5 and 5.4.0 and Real in the releases between.
; - `div` of more than two arguments is left-associative and taken by both; `mod` of three by neither.
; - cvc5 types `^` on any two terms of one sort but solves it only if the exponent is a constant.
; - z3 takes unary `+`, `*`, `<` and friends; cvc5 wants two arguments.
; - cvc5's div_total and mod_total give 0 and the dividend for divisor 0; int.log2 of what is not positive
;   is 0, int.pow2 of a negative is 0, piand with a width that is not positive is 0.
; - z3's rem takes the sign of the divisor: (rem 5 (- 3)) is -2, (rem (- 5) 3) is 1.
; - there is no `power` and no `int.ispow2` in either: z3's power is `^` or `**`.
(theory Ints :since 2.0 :logic (ints differences) :standard-only)

(- Int Int :since 2.0 :eval int_neg)
(- Int Int Int :left-assoc :since 2.0 :eval int_sub)
(+ Int Int Int :left-assoc :since 2.0 :eval int_add)
(* Int Int Int :arith product :left-assoc :since 2.0 :eval int_mul)
(div Int Int Int :arith quotient :left-assoc :since 2.0 :eval int_div :under "divisor 0")
(mod Int Int Int :arith quotient :since 2.0 :eval int_mod :under "divisor 0")
(abs Int Int :since 2.0 :eval int_abs)
(<= Int Int Bool :arith comparison :chainable :since 2.0 :eval int_le)
(< Int Int Bool :arith comparison :chainable :since 2.0 :eval int_lt)
(>= Int Int Bool :arith comparison :chainable :since 2.0 :eval int_ge)
(> Int Int Bool :arith comparison :chainable :since 2.0 :eval int_gt)
((_ divisible n) Int Bool :guard (> n 0) :since 2.0 :by (cvc5 yices) :eval int_divisible)

(^ Int Int Int :constant 1 :disputed "releases disagree about powers such as 0^0" :by (z3 cvc5) :eval int_pow :alias (**) :under "exponent negative; 0^0 in z3")

; z3 only
(rem Int Int Int :arith quotient :by (z3) :eval int_rem :under "divisor 0")
(+ Int Int :by (z3 yices) :eval int_add :no-mutate)
(* Int Int :arith product :by (z3 yices) :eval int_mul :no-mutate)
(<= Int Bool :arith comparison :by (z3) :eval int_le :no-mutate)
(< Int Bool :arith comparison :by (z3) :eval int_lt :no-mutate)
(>= Int Bool :arith comparison :by (z3) :eval int_ge :no-mutate)
(> Int Bool :arith comparison :by (z3) :eval int_gt :no-mutate)
; the free functions behind division by zero, seen in z3's models
(div0 Int Int Int :by (z3) :no-mutate :under "always")
(mod0 Int Int Int :by (z3) :no-mutate :under "always")

; cvc5 only
(int.pow2 Int Int :divergent :by (cvc5) :eval int_pow2)
(int.log2 Int Int :divergent :by (cvc5) :eval int_log2)
((_ iand k) Int Int Int :guard (> k 0) :by (cvc5) :eval int_iand)
(piand Int Int Int Int :by (cvc5) :eval int_piand)
(div_total Int Int Int :by (cvc5) :eval int_div_total)
(mod_total Int Int Int :by (cvc5) :eval int_mod_total)
