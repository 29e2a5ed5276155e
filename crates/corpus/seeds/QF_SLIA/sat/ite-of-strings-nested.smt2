; Conditional concatenation; brackets inside brackets
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const p Bool)
(declare-const x String)
(define-fun y () String (str.++ (ite p "<" "") x (ite p ">" "")))
(assert (= (str.indexof y "<" 1) 1))
(assert (= (str.len x) 2))
(assert (str.suffixof ">>" y))
(check-sat)
