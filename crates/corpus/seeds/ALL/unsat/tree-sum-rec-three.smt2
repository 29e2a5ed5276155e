; Mutually recursive even and odd on Peano numbers; is odd
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Nat ((zero) (succ (pred Nat))))
(define-funs-rec ((even ((n Nat)) Bool) (odd ((n Nat)) Bool))
  ((match n ((zero true) ((succ m) (odd m)))) (match n ((zero false) ((succ m) (even m))))))
(declare-const k Nat)
(assert (= k (succ (succ (succ zero)))))
(assert (even k))
(check-sat)
