; sat
(declare-const t (Tuple Int Bool))
(assert (= ((_ tuple.select 0) t) 3))
(assert ((_ tuple.select 1) t))

; unsat
(declare-const t (Tuple Int Bool))
(assert (distinct t (tuple ((_ tuple.select 0) t) ((_ tuple.select 1) t))))

; unsat
(declare-const x Int)
(assert (= ((_ tuple.select 0) (tuple x true)) (+ x 1)))

; unsat
(declare-const x (Nullable Int))
(assert (nullable.is_null x))
(assert (nullable.is_some x))

; sat
(declare-const x (Nullable Int))
(assert (nullable.is_some x))
(assert (> (nullable.val x) 4))

; unsat
(declare-const x (Nullable Int))
(assert (nullable.is_some x))
(assert (distinct x (nullable.some (nullable.val x))))

; sat
(declare-const x (_ FiniteField 7))
(assert (= (ff.mul x x) (as ff2 (_ FiniteField 7))))

; unsat
(declare-const x (_ FiniteField 7))
(assert (= (ff.mul x x) (as ff3 (_ FiniteField 7))))

; unsat
(declare-const x (_ FiniteField 5))
(assert (distinct (ff.add x x x x x) (as ff0 (_ FiniteField 5))))

; unsat
(declare-const x (_ FiniteField 5))
(declare-const y (_ FiniteField 5))
(assert (distinct x y))
(assert (= (ff.mul x (as ff2 (_ FiniteField 5))) (ff.mul y (as ff2 (_ FiniteField 5)))))

; sat
(declare-const x (_ FiniteField 11))
(declare-const y (_ FiniteField 11))
(assert (= (ff.mul x y) (as ff1 (_ FiniteField 11))))
(assert (distinct x y))

; unsat
(declare-const x (_ FiniteField 2))
(assert (distinct (ff.mul x x) x))

; unsat
(declare-const r (Set (Tuple Int Int)))
(declare-const s (Set (Tuple Int Int)))
(assert (set.member (tuple 1 2) r))
(assert (set.member (tuple 2 3) s))
(assert (not (set.member (tuple 1 3) (rel.join r s))))

; unsat
(declare-const r (Set (Tuple Int Int)))
(assert (set.member (tuple 1 2) r))
(assert (not (set.member (tuple 2 1) (rel.transpose r))))

; sat
(declare-const r (Set (Tuple Int Int)))
(assert (= (rel.transpose r) r))
(assert (set.member (tuple 1 2) r))

; sat
(declare-const s (FiniteSet Int))
(declare-const t (FiniteSet Int))
(assert (>= 0 (set.size s)))
(assert (= (set.union s t) (set.singleton 2)))

; sat
(declare-const s (FiniteSet Int))
(declare-const t (FiniteSet Int))
(declare-const x Int)
(declare-const n Int)
(assert (< (set.size s) n))
(assert (set.in x s))
(assert (>= (set.size t) n))

; unsat
(declare-const s (FiniteSet Int))
(declare-const x Int)
(assert (set.in x s))
(assert (= (set.size s) 0))

; unsat
(declare-const s (FiniteSet Int))
(declare-const t (FiniteSet Int))
(assert (set.subset s t))
(assert (> (set.size s) (set.size t)))

; unsat
(declare-const s (FiniteSet Int))
(assert (distinct (set.union s s) s))

; sat
(declare-const a Int)
(declare-const b Int)
(assert ((_ partial-order 0) a b))
(assert (distinct a b))

; unsat
(declare-const a Int)
(declare-const b Int)
(assert ((_ linear-order 0) a b))
(assert ((_ linear-order 0) b a))
(assert (distinct a b))

; unsat
(declare-const a Int)
(declare-const b Int)
(assert (not ((_ linear-order 0) a b)))
(assert (not ((_ linear-order 0) b a)))

; unsat
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert ((_ partial-order 0) a b))
(assert ((_ partial-order 0) b c))
(assert (not ((_ partial-order 0) a c)))
