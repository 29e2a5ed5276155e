; A set over a finite element sort has a bound; five elements of two bits
; COMMAND-LINE: --sets-exp
; WHY: there are only four two-bit vectors
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Set (_ BitVec 2)))
(assert (> (set.card s) 4))
(check-sat)
