; A small virtual machine state; two steps add the register twice
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype State ((state (pc (_ BitVec 4)) (regs (Array (_ BitVec 1) (_ BitVec 4))))))
(declare-const s State)
(define-fun step ((x State)) State
  (state (bvadd (pc x) #x1) (store (regs x) #b0 (bvadd (select (regs x) #b0) (select (regs x) #b1)))))
(assert (distinct (select (regs (step (step s))) #b0)
                  (bvadd (select (regs s) #b0) (bvshl (select (regs s) #b1) #x1))))
(check-sat)
