; An array of floats indexed by bytes; signs alternate
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ABVFP)
(set-info :status unsat)
(declare-const mem (Array (_ BitVec 4) Float32))
(declare-const i (_ BitVec 4))
(define-fun next () (Array (_ BitVec 4) Float32) (store mem (bvadd i #x1) (fp.neg (select mem i))))
(assert (fp.isPositive (select mem i)))
(assert (fp.isPositive (select next (bvadd i #x1))))
(check-sat)
