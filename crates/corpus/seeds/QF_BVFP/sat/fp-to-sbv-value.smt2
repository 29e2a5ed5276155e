; Conversion to signed bits in range; minus five from a fraction
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const f Float32)
(assert (fp.leq (fp.abs f) ((_ to_fp 8 24) RNE 7.0)))
(define-fun i () (_ BitVec 4) ((_ fp.to_sbv 4) RTZ f))
(assert (= i #xb))
(assert (distinct f (fp.roundToIntegral RNE f)))
(assert (= ((_ fp.to_sbv 4) RNA f) #xa))
(check-sat)
