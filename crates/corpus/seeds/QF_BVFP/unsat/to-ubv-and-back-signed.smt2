; Conversions between floats and bit-vectors inside the range; the same bits read signed
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 4 6))
(declare-const u (_ BitVec 5))
(assert (distinct ((_ fp.to_sbv 5) RTP ((_ to_fp 4 6) RTN u)) u))
(check-sat)
