; to_int and is_int; they differ unless integral
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const n Int)
(define-fun ceil ((r Real)) Int (- (to_int (- r))))
(assert (= (ceil x) (to_int x)))
(assert (not (is_int x)))
(check-sat)
