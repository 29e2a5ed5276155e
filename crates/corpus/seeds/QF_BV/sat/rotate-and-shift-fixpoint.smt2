; Rotation against shifts, at odd widths; a value that a rotation keeps although it is neither zero nor all ones
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 7))
(declare-const n (_ BitVec 7))
(declare-const w (_ BitVec 6))
(assert (= ((_ rotate_right 2) w) w))
(assert (not (or (= w #b000000) (= w #b111111))))
(assert (= ((_ zero_extend 1) w) (bvand x (bvnot n))))
(check-sat)
