; Float values in an array over two bits; around the circle back to the start
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (_ BitVec 2) (_ FloatingPoint 3 3)))
(declare-const i (_ BitVec 2))
(assert (fp.lt (select a i) (select a (bvadd i #b01)) (select a (bvadd i #b10))))
(assert (fp.lt (select a (bvadd i #b10)) (select a (bvsub i #b00))))
(check-sat)
