; Rotation against shifts, at odd widths; a shift by the width or more gives the fill bit
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 7))
(declare-const n (_ BitVec 7))
(assert (bvuge n #b0000111))
(assert (or (distinct (bvshl x n) #b0000000) (distinct (bvashr x n) ((_ repeat 7) ((_ extract 6 6) x)))))
(check-sat)
