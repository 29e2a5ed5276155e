; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(declare-const x Int)
(assert (set.member x (set.inter s t)))
(assert (not (set.member x s)))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (set.subset s t))
(assert (set.subset t s))
(assert (distinct s t))

; sat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (set.subset s t))
(assert (distinct s t))

; unsat
(declare-const x Int)
(assert (set.member x (as set.empty (Set Int))))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (= (set.singleton x) (set.singleton y)))
(assert (distinct x y))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (distinct (set.union s t) (set.union t s)))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(declare-const u (Set Int))
(assert (distinct (set.inter s (set.union t u)) (set.union (set.inter s t) (set.inter s u))))

; sat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (distinct (set.minus s t) (set.minus t s)))
(assert (distinct (set.inter s t) (as set.empty (Set Int))))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (distinct (set.inter (set.minus s t) t) (as set.empty (Set Int))))

; sat
(declare-const s (Set Int))
(assert (= (set.card s) 3))
(assert (set.member 5 s))

; unsat
(declare-const s (Set Int))
(assert (< (set.card s) 0))

; unsat
(declare-const s (Set Int))
(assert (= (set.card s) 1))
(assert (set.member 1 s))
(assert (set.member 2 s))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (set.subset s t))
(assert (> (set.card s) (set.card t)))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (distinct (+ (set.card s) (set.card t)) (+ (set.card (set.union s t)) (set.card (set.inter s t)))))

; unsat
(declare-const s (Set Bool))
(assert (= (set.card s) 3))

; sat
(declare-const s (Set Bool))
(assert (= (set.card s) 2))

; sat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (= (set.card (set.union s t)) 2))
(assert (= (set.card s) 2))
(assert (= (set.card t) 1))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(assert (= (set.card (set.union s t)) 2))
(assert (= (set.card s) 3))

; unsat
(declare-const s (Set Int))
(declare-const x Int)
(assert (not (set.member x (set.insert x s))))

; sat
(declare-const s (Set Int))
(declare-const x Int)
(assert (= (set.insert x s) s))
(assert (distinct s (set.singleton x)))

; unsat
(declare-const s (Set Int))
(declare-const x Int)
(assert (= (set.insert x s) s))
(assert (= (set.minus s (set.singleton x)) s))

; sat
(declare-const s (Set (Set Int)))
(assert (set.member (as set.empty (Set Int)) s))
(assert (= (set.card s) 2))

; unsat
(declare-const s (Set Int))
(declare-const t (Set Int))
(declare-const x Int)
(declare-const y Int)
(assert (= (set.union (set.singleton x) (set.singleton y)) (set.singleton 0)))
(assert (distinct x y))

; unsat
(declare-const s (Set Int))
(assert (set.is_empty s))
(assert (set.member 3 (set.union s s)))

; sat
(declare-const s (Set Int))
(declare-const t (Set Int))
(declare-const u (Set Int))
(assert (distinct s t u))
(assert (= (set.union s t) (set.union t u) (set.union s u)))
