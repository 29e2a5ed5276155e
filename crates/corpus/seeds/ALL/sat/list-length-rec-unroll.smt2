; A recursive length function; lengths of tails
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+fmf-fun
(set-logic ALL)
(set-info :status sat)
(declare-datatype L ((nil) (cons (hd Int) (tl L))))
(define-fun-rec len ((x L)) Int (ite ((_ is nil) x) 0 (+ 1 (len (tl x)))))
(declare-const x L)
(assert (= x (cons 4 (cons 5 (cons 6 nil)))))
(assert (= (len (tl x)) (- (hd x) 2)))
(check-sat)
