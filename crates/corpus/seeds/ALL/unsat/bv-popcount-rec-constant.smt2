; A recursive loop over bits; three bits of 1011
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(define-fun-rec pop ((v (_ BitVec 4))) Int (ite (= v #x0) 0 (+ (ubv_to_int (bvand v #x1)) (pop (bvlshr v #x1)))))
(declare-const v (_ BitVec 4))
(assert (= v #xb))
(assert (distinct (pop v) 3))
(check-sat)
