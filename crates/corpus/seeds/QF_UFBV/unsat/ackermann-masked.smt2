; Functions and bit-vectors; equal under a shift
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFBV)
(set-info :status unsat)
(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvand x #xf0) (bvand y #xf0)))
(assert (distinct (f (bvlshr x #x04)) (f (bvlshr y #x04))))
(check-sat)
