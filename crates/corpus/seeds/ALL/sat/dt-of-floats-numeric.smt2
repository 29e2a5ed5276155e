; A complex number over small floats; fp.eq forgives the sign of zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Cplx ((complex (re Float32) (im Float32))))
(declare-const z Cplx)
(define-fun conj ((c Cplx)) Cplx (complex (re c) (fp.neg (im c))))
(assert (and (fp.eq (re z) (re (conj z))) (fp.eq (im z) (im (conj z)))))
(assert (distinct z (conj z)))
(check-sat)
