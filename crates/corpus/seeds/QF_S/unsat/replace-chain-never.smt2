; A chain of replacements as a rewriting system; b first is stuck
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(define-fun step ((s String)) String (str.replace (str.replace s "ab" "c") "cb" "d"))
(assert (= x "bab"))
(assert (distinct (step x) "bc"))
(check-sat)
