; Conditional concatenation; a bracketed text
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const p Bool)
(declare-const x String)
(define-fun y () String (str.++ (ite p "<" "") x (ite p ">" "")))
(assert (= y "<>"))
(assert (distinct x ""))
(check-sat)
