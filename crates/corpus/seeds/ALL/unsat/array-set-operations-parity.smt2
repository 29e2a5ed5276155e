; Sets as arrays to Bool; sets that partition four elements are not equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Array (_ BitVec 2) Bool))
(declare-const t (Array (_ BitVec 2) Bool))
(define-fun member ((x (_ BitVec 2)) (a (Array (_ BitVec 2) Bool))) Bool (select a x))
(assert (forall ((x (_ BitVec 2))) (xor (member x s) (member x t))))
(assert (= s (store (store t #b00 false) #b01 true)))
(assert (member #b10 s))
(check-sat)
