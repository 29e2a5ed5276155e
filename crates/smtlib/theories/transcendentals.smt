; Transcendentals: the elementary functions of the reals. No standard; cvc5 (logics with T, or ALL) and z3.
;
; Evaluation is by interval arithmetic: exact only as far as the interval decides. Under-specified: poles and
; arguments outside the domain.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - the two share sin, cos, tan and exp; the inverses are `asin` in z3 and `arcsin` in cvc5, and so on.
; - z3's `ln` and `log` are one operator, the natural logarithm; cvc5 has no logarithm.
; - exp and log came to z3 with 5.3.0.
; - z3 promotes an Int or Bool argument, cvc5 does not. So in z3 these operators override a function that a script
;   declares under their name over one Int, Real or Bool (`:overrides`), whatever its result; no other operator of z3,
;   cvc5, bitwuzla, boolector or yices does. Each either refuses the declaration or lets it win.
(theory Transcendentals :logic (transcendental))

(sin Real Real :by (z3 cvc5) :overrides (z3) :eval real_sin)
(cos Real Real :by (z3 cvc5) :overrides (z3) :eval real_cos)
(tan Real Real :by (z3 cvc5) :overrides (z3) :eval real_tan :under "cosine 0")
(exp Real Real :by (z3 cvc5) :overrides (z3) :eval real_exp)

; cvc5 only
(real.pi Real :by (cvc5) :eval real_pi)
(sqrt Real Real :by (cvc5) :eval real_sqrt :under "argument negative")
(csc Real Real :by (cvc5) :eval real_csc :under "sine 0")
(sec Real Real :by (cvc5) :eval real_sec :under "cosine 0")
(cot Real Real :by (cvc5) :eval real_cot :under "sine 0")
(arcsin Real Real :by (cvc5) :eval real_asin :under "argument outside [-1, 1]")
(arccos Real Real :by (cvc5) :eval real_acos :under "argument outside [-1, 1]")
(arctan Real Real :by (cvc5) :eval real_atan)
(arccsc Real Real :by (cvc5) :eval real_acsc :under "argument inside (-1, 1)")
(arcsec Real Real :by (cvc5) :eval real_asec :under "argument inside (-1, 1)")
(arccot Real Real :by (cvc5) :eval real_acot :under "argument 0; the branch for negative arguments")

; z3 only
(pi Real :by (z3) :eval real_pi)
(euler Real :by (z3) :eval real_e)
(log Real Real :by (z3) :overrides (z3) :eval real_ln :alias (ln) :under "argument not positive")
(asin Real Real :by (z3) :overrides (z3) :eval real_asin :under "argument outside [-1, 1]")
(acos Real Real :by (z3) :overrides (z3) :eval real_acos :under "argument outside [-1, 1]")
(atan Real Real :by (z3) :overrides (z3) :eval real_atan)
(sinh Real Real :by (z3) :overrides (z3) :eval real_sinh)
(cosh Real Real :by (z3) :overrides (z3) :eval real_cosh)
(tanh Real Real :by (z3) :overrides (z3) :eval real_tanh)
(asinh Real Real :by (z3) :overrides (z3) :eval real_asinh)
(acosh Real Real :by (z3) :overrides (z3) :eval real_acosh :under "argument below 1")
(atanh Real Real :by (z3) :overrides (z3) :eval real_atanh :under "argument outside (-1, 1)")
