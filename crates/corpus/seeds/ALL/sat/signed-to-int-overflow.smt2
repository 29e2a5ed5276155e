; sbv_to_int of sums and the wrap at the top; with it, off by 32
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const x (_ BitVec 5))
(declare-const y (_ BitVec 5))
(define-fun sum () Int (+ (sbv_to_int x) (sbv_to_int y)))
(assert (bvsaddo x y))
(assert (= (- sum (sbv_to_int (bvadd x y))) (- 32)))
(assert (< (sbv_to_int x) (sbv_to_int y)))
(check-sat)
