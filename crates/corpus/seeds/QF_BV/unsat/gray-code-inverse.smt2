; Gray code and its inverse by prefix xor; decoding inverts encoding
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const n (_ BitVec 4))
(define-fun gray ((v (_ BitVec 4))) (_ BitVec 4) (bvxor v (bvlshr v #x1)))
(define-fun back ((g (_ BitVec 4))) (_ BitVec 4)
  (let ((h (bvxor g (bvlshr g #x1)))) (bvxor h (bvlshr h #x2))))
(assert (distinct (back (gray n)) n))
(check-sat)
