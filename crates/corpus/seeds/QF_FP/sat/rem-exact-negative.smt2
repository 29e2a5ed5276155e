; fp.rem is the IEEE remainder; it may be negative on positive arguments
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (not (or (fp.isZero y) (fp.isNaN y) (fp.isInfinite y) (fp.isInfinite x) (fp.isNaN x))))
(assert (and (fp.isPositive x) (fp.isPositive y)))
(assert (fp.lt (fp.rem x y) (fp #b1 #b000 #b001)))
(check-sat)
