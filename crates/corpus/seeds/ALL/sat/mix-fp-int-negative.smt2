; Integers read off floats through reals; a negative float with floor minus three
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const f Float32)
(declare-const n Int)
(assert (not (or (fp.isNaN f) (fp.isInfinite f))))
(assert (= n (to_int (fp.to_real f))))
(assert (= n (- 3)))
(assert (fp.lt f ((_ to_fp 8 24) RNE (- 2.25))))
(check-sat)
