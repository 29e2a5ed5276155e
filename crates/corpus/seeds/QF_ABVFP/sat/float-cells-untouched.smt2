; An array of floats indexed by bytes; except at the wrap
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ABVFP)
(set-info :status sat)
(declare-const mem (Array (_ BitVec 4) Float32))
(declare-const i (_ BitVec 4))
(define-fun next () (Array (_ BitVec 4) Float32) (store mem (bvadd i #x1) (fp.neg (select mem i))))
(assert (fp.lt (select next #x0) (select mem #x0)))
(assert (fp.eq (select next (bvsub i #x1)) (select next i)))
(check-sat)
