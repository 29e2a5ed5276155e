; The five rounding modes are ordered on one sum; RNE and RNA differ at a tie only
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 5))
(declare-const y (_ FloatingPoint 3 5))
(define-fun s ((m RoundingMode)) (_ FloatingPoint 3 5) (fp.add m x y))
(assert (not (fp.isNaN (s RNE))))
(assert (not (fp.eq (s RNE) (s RNA))))
(assert (fp.isPositive (s RTZ)))
(check-sat)
