; The five rounding modes are ordered on one sum; RTN and RTP bracket the others
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 5))
(declare-const y (_ FloatingPoint 3 5))
(define-fun s ((m RoundingMode)) (_ FloatingPoint 3 5) (fp.add m x y))
(assert (not (fp.isNaN (s RNE))))
(assert (not (and (fp.leq (s RTN) (s RNE)) (fp.leq (s RNE) (s RTP)) (fp.leq (s RTN) (s RTZ)) (fp.leq (s RNA) (s RTP)))))
(check-sat)
