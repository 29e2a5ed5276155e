; unsat
(declare-const p Bool)
(assert (= p (not p)))

; sat
(declare-const p Bool)
(declare-const q Bool)
(assert (xor p q))

; unsat
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (distinct p q r))

; sat
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (= p q r))
(assert (=> p q r false))

; unsat
(declare-const p Bool)
(assert (=> (=> p false) p))
(assert (not p))

; unsat
(declare-const p Bool)
(declare-const q Bool)
(assert (not (=> (=> (=> p q) p) p)))

; sat
(declare-const p Bool)
(declare-const q Bool)
(assert (ite p (not q) q))

; unsat
(declare-const p Bool)
(declare-const q Bool)
(assert (ite p (not p) (and q (not q))))

; unsat
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (or p q))
(assert (or q r))
(assert (or p r))
(assert (not (and p q)))
(assert (not (and q r)))
(assert (not (and p r)))

; sat
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (xor p q r))
(assert (not (and p q)))

; unsat
(declare-const p Bool)
(declare-const q Bool)
(assert (xor p q (xor p q)))

; sat
(declare-const p Bool)
(assert (let ((a (not p))) (let ((p a)) p)))

; unsat
(declare-const p Bool)
(assert (let ((a p) (b (not p))) (and a b)))

; unsat
(declare-const p Bool)
(declare-const q Bool)
(assert (distinct (and p q) (not (or (not p) (not q)))))

; sat
(declare-fun f (Bool) Bool)
(assert (distinct (f true) (f false)))
(assert (not (f true)))

; unsat
(declare-fun f (Bool) Bool)
(declare-const p Bool)
(assert (f true))
(assert (f false))
(assert (not (f p)))

; unsat
(declare-fun f (Bool) Bool)
(declare-const p Bool)
(assert (distinct (f (f (f p))) (f p)))

; sat
(declare-fun f (Bool) Bool)
(declare-const p Bool)
(assert (distinct (f (f p)) (f p)))
