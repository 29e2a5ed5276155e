; Two expressions for one language; (ab)* is smaller
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(define-fun a () RegLan (str.to_re "a"))
(define-fun b () RegLan (str.to_re "b"))
(assert (str.in_re x (re.inter (re.* (re.union a b)) (re.comp (re.* (re.++ a b))))))
(assert (str.in_re x (re.++ a re.all b)))
(check-sat)
