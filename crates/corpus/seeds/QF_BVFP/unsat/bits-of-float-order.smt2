; to_fp from bits, fields read with extract; bit order is number order on positives
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const b (_ BitVec 16))
(define-fun f () (_ FloatingPoint 5 11) ((_ to_fp 5 11) b))
(declare-const c (_ BitVec 16))
(assert (and (bvsgt b #x0000) (bvsgt c b)))
(assert (fp.gt f ((_ to_fp 5 11) c)))
(check-sat)
