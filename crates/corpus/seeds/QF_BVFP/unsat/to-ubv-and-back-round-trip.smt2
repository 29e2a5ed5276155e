; Conversions between floats and bit-vectors inside the range; a five-bit integer survives six significant bits
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 4 6))
(declare-const u (_ BitVec 5))
(assert (distinct ((_ fp.to_ubv 5) RNE ((_ to_fp_unsigned 4 6) RTZ u)) u))
(check-sat)
