; Conversion to signed bits in range; the sign is kept
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const f Float32)
(assert (fp.leq (fp.abs f) ((_ to_fp 8 24) RNE 7.0)))
(define-fun i () (_ BitVec 4) ((_ fp.to_sbv 4) RTZ f))
(assert (fp.isPositive f))
(assert (bvslt i #x0))
(check-sat)
