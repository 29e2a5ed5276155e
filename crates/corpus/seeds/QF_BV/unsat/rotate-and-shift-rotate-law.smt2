; Rotation against shifts, at odd widths; rotating by three is two shifts or-ed
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 7))
(declare-const n (_ BitVec 7))
(assert (distinct ((_ rotate_left 3) x) (bvor (bvshl x #b0000011) (bvlshr x #b0000100))))
(check-sat)
