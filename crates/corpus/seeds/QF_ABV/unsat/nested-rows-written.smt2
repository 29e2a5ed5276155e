; A matrix as an array of arrays; what was written is read
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ABV)
(set-info :status unsat)
(declare-const m (Array (_ BitVec 2) (Array (_ BitVec 2) (_ BitVec 4))))
(declare-const r (_ BitVec 2))
(declare-const c (_ BitVec 2))
(define-fun at ((i (_ BitVec 2)) (j (_ BitVec 2))) (_ BitVec 4) (select (select m i) j))
(define-fun m2 () (Array (_ BitVec 2) (Array (_ BitVec 2) (_ BitVec 4))) (store m r (store (select m c) c #xf)))
(assert (distinct (select (select m2 r) c) #xf))
(check-sat)
