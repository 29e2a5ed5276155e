; Conditional concatenation; p cannot be read off y, but off the lengths
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const p Bool)
(declare-const x String)
(define-fun y () String (str.++ (ite p "<" "") x (ite p ">" "")))
(assert p)
(assert (= (str.len y) (+ 1 (str.len x))))
(check-sat)
