; A float decoded from memory; an infinite pattern
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const m (Array (_ BitVec 2) (_ BitVec 8)))
(define-fun w () (_ BitVec 32) (concat (select m #b11) (select m #b10) (select m #b01) (select m #b00)))
(define-fun f () Float32 ((_ to_fp 8 24) w))
(assert (fp.isInfinite f))
(assert (= (select m #b10) (bvneg (select m #b10))))
(assert (bvsgt (select m #b11) #x00))
(check-sat)
