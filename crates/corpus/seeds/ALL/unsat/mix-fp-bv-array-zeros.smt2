; A float decoded from memory; one byte decides the sign
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const m (Array (_ BitVec 2) (_ BitVec 8)))
(define-fun w () (_ BitVec 32) (concat (select m #b11) (select m #b10) (select m #b01) (select m #b00)))
(define-fun f () Float32 ((_ to_fp 8 24) w))
(assert (fp.lt f (_ +zero 8 24)))
(assert (bvult (select m #b11) #x80))
(check-sat)
