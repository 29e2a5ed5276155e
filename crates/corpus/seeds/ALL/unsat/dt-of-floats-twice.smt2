; A complex number over small floats; conjugating twice
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Cplx ((complex (re Float32) (im Float32))))
(declare-const z Cplx)
(define-fun conj ((c Cplx)) Cplx (complex (re c) (fp.neg (im c))))
(assert (distinct (conj (conj z)) z))
(check-sat)
