; Maximum by ite; is associative
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LRA)
(set-info :status unsat)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(define-fun max2 ((x Real) (y Real)) Real (ite (>= x y) x y))
(assert (distinct (max2 a (max2 b c)) (max2 (max2 a b) c)))
(check-sat)
