; to_int and is_int; a half-integer
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIRA)
(set-info :status sat)
(declare-const x Real)
(declare-const n Int)
(define-fun ceil ((r Real)) Int (- (to_int (- r))))
(assert (is_int (* 2.0 x)))
(assert (not (is_int x)))
(assert (= n (to_int (* 3.0 x))))
(assert (= (mod n 3) 1))
(check-sat)
