; Two expressions for one language; X = aX | b has the solution a*b
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(define-fun a () RegLan (str.to_re "a"))
(define-fun b () RegLan (str.to_re "b"))
(assert (xor (str.in_re x (re.++ (re.* a) b)) (str.in_re x (re.union b (re.++ a (re.* a) b)))))
(check-sat)
