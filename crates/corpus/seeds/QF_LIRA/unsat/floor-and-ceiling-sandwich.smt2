; to_int and is_int; floor and ceiling differ by at most one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const n Int)
(define-fun ceil ((r Real)) Int (- (to_int (- r))))
(assert (not (<= 0 (- (ceil x) (to_int x)) 1)))
(check-sat)
