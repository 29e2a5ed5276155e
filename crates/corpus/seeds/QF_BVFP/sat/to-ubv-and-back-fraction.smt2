; Conversions between floats and bit-vectors inside the range; a fraction rounds in two directions
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 4 6))
(declare-const u (_ BitVec 5))
(assert (and (fp.geq x ((_ to_fp 4 6) RNE 0.0)) (fp.lt x ((_ to_fp 4 6) RNE 8.0))))
(assert (= (bvsub ((_ fp.to_ubv 5) RTP x) ((_ fp.to_ubv 5) RTN x)) #b00001))
(assert (= ((_ fp.to_sbv 5) RNA x) ((_ fp.to_ubv 5) RTZ x) u))
(assert (bvugt u #b00010))
(check-sat)
