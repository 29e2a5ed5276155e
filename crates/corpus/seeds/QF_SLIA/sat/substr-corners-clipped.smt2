; str.substr with negative and excessive arguments; a length past the end is clipped
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const i Int)
(declare-const n Int)
(assert (= (str.substr x i n) "end"))
(assert (> (+ i n) (+ (str.len x) 5)))
(assert (= (str.at x (- i 1)) "."))
(check-sat)
