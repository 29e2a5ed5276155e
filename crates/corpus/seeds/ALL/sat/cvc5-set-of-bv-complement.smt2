; A set over a finite element sort has a bound; the complement is nonempty
; COMMAND-LINE: --sets-exp
; WHY: s = {00, 01, 10} has three elements and misses 11
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Set (_ BitVec 2)))
(assert (= (set.card s) 3))
(assert (set.member #b11 (set.complement s)))
(check-sat)
