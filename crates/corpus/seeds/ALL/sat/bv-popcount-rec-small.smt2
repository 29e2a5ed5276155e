; A recursive loop over bits; at most the width
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status sat)
(define-fun-rec pop ((v (_ BitVec 4))) Int (ite (= v #x0) 0 (+ (ubv_to_int (bvand v #x1)) (pop (bvlshr v #x1)))))
(declare-const v (_ BitVec 4))
(assert (= v #x6))
(assert (= (pop v) (+ 1 (pop #x8))))
(check-sat)
