; unsat
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (= (f (f (f a))) a))
(assert (= (f (f (f (f (f a))))) a))
(assert (distinct (f a) a))

; sat
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (= (f (f (f a))) a))
(assert (distinct (f a) a))

; unsat
(declare-sort U 0)
(declare-const a U)
(declare-const b U)
(declare-const c U)
(assert (= a b))
(assert (= b c))
(assert (distinct a c))

; sat
(declare-sort U 0)
(declare-const a U)
(declare-const b U)
(declare-const c U)
(declare-const d U)
(assert (distinct a b c d))

; unsat
(declare-sort U 0)
(declare-fun p (U) Bool)
(declare-const a U)
(declare-const b U)
(assert (= a b))
(assert (p a))
(assert (not (p b)))

; unsat
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (= (f x) (+ x 1)))
(assert (= (f (f x)) x))
(assert (= (f (+ x 1)) (+ x 2)))

; sat
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (= (f x) (+ x 1)))
(assert (= (f (f x)) x))

; unsat
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (= x (+ y 1)))
(assert (distinct (f (- x 1)) (f y)))

; unsat
(declare-fun f (Int Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (= x y))
(assert (distinct (f x y) (f y x)))

; sat
(declare-fun f (Int Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (distinct (f x y) (f y x)))

; unsat
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (<= 0 x 2))
(assert (= (f 0) 1))
(assert (= (f 1) 2))
(assert (= (f 2) 0))
(assert (= (f (f (f x))) (+ x 1)))

; unsat
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (<= x y))
(assert (<= y x))
(assert (< (f x) (f y)))

; sat
(declare-fun f (Real) Int)
(assert (distinct (f 0.5) (f 0.25) (f 0.125)))

; unsat
(declare-fun f (Real) Int)
(assert (distinct (f 0.5) (f (/ 1.0 2.0))))

; unsat
(declare-sort U 0)
(declare-fun g (U U) U)
(declare-const a U)
(declare-const b U)
(assert (= (g a b) a))
(assert (distinct (g (g a b) b) a))

; sat
(declare-sort U 0)
(declare-fun g (U U) U)
(declare-const a U)
(declare-const b U)
(assert (= (g a b) a))
(assert (distinct (g b a) a))

; unsat
(declare-sort U 0)
(declare-const a U)
(assert (forall ((x U)) (= x a)))
(assert (exists ((x U)) (distinct x a)))

; unsat
(declare-sort U 0)
(declare-const a U)
(declare-const b U)
(assert (forall ((x U)) (= x a)))
(assert (distinct a b))

; sat
(declare-sort U 0)
(assert (exists ((x U) (y U) (z U)) (distinct x y z)))
(assert (forall ((x U) (y U) (z U) (w U)) (not (distinct x y z w))))

; unsat
(declare-sort U 0)
(declare-fun f (U) U)
(assert (forall ((x U)) (distinct (f x) x)))
(assert (exists ((x U)) (forall ((y U)) (= x y))))

; unsat
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const c U)
(assert (forall ((x U)) (= (f x) c)))
(assert (distinct (f c) c))

; unsat
(declare-fun f (Int) Bool)
(declare-const x Int)
(assert (= (f 3) (not (f x))))
(assert (= x 3))

; unsat
(declare-fun f (Int) Int)
(declare-fun g (Int) Int)
(declare-const x Int)
(assert (= (f (g x)) x))
(assert (= (g x) (g (+ x 1))))
(assert (= (f (g (+ x 1))) (+ x 1)))

; sat
(declare-fun f (Int) Int)
(declare-fun g (Int) Int)
(declare-const x Int)
(assert (= (f (g x)) x))
(assert (= (g x) (g (+ x 1))))
