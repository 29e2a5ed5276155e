; A chain of replacements as a rewriting system; a start word for d
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(define-fun step ((s String)) String (str.replace (str.replace s "ab" "c") "cb" "d"))
(assert (= (step x) "d"))
(assert (= (str.len x) 3))
(check-sat)
