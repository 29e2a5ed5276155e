; A Chinese remainder puzzle with the standard's divisible (z3 lacks it); the least solution is 23
; WHY: the three residues determine n modulo 105 as 23
; CONFIRMED: cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const n Int)
(assert ((_ divisible 3) (- n 2)))
(assert ((_ divisible 5) (- n 3)))
(assert ((_ divisible 7) (- n 2)))
(assert (< 0 n 23))
(check-sat)
