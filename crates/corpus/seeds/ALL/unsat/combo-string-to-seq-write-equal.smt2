; An array from strings to Boolean sequences: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array String (Seq Bool)))
(declare-const i String)
(declare-const j String)
(declare-const e (Seq Bool))
(define-fun b () (Array String (Seq Bool)) (store a i e))
(assert (= (seq.len e) (+ 1 (seq.len (select b j)))))
(assert (= (str.++ i "ab") (str.++ j "ab")))
(check-sat)
