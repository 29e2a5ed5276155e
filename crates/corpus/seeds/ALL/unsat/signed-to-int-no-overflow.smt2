; sbv_to_int of sums and the wrap at the top; without bvsaddo the integer sum is exact
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ BitVec 5))
(declare-const y (_ BitVec 5))
(define-fun sum () Int (+ (sbv_to_int x) (sbv_to_int y)))
(assert (not (bvsaddo x y)))
(assert (distinct sum (sbv_to_int (bvadd x y))))
(check-sat)
