; Mutually recursive even and odd on Peano numbers; is even
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+fmf-fun
(set-logic ALL)
(set-info :status sat)
(declare-datatype Nat ((zero) (succ (pred Nat))))
(define-funs-rec ((even ((n Nat)) Bool) (odd ((n Nat)) Bool))
  ((match n ((zero true) ((succ m) (odd m)))) (match n ((zero false) ((succ m) (even m))))))
(declare-const k Nat)
(assert (= k (succ (succ zero))))
(assert (not (odd k)))
(assert (even k))
(check-sat)
