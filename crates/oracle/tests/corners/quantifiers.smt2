; unsat
(assert (forall ((x Int)) (> x 0)))

; sat
(assert (exists ((x Int)) (= (* 3 x) 12)))

; unsat
(assert (exists ((x Int)) (= (* 3 x) 13)))

; sat
(assert (forall ((x Int)) (exists ((y Int)) (< x y))))

; unsat
(assert (exists ((y Int)) (forall ((x Int)) (< x y))))

; sat
(assert (forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (< x z y)))))

; unsat
(assert (forall ((x Int) (y Int)) (=> (< x y) (exists ((z Int)) (< x z y)))))

; sat
(declare-const a Int)
(assert (forall ((x Int)) (=> (> x a) (> x 3))))

; unsat
(declare-const a Int)
(assert (forall ((x Int)) (=> (> x a) (> x 3))))
(assert (< a 3))

; sat
(assert (forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ (* 2 y) 1))))))

; unsat
(assert (forall ((x Int)) (exists ((y Int)) (or (= x (* 3 y)) (= x (+ (* 3 y) 1))))))

; unsat
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (= (f x) (+ x 1))))
(assert (= (f 3) 5))

; sat
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (=> (<= 0 x 3) (= (f x) (* x x)))))
(assert (= (f 4) 0))

; unsat
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (< (f x) (f (+ x 1)))))
(assert (>= (f 0) (f 2)))

; unsat
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (not (p 3)))

; sat
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (not (p (- 1))))

; unsat
(assert (exists ((x (_ BitVec 8))) (distinct (bvadd x (bvneg x)) #x00)))

; sat
(assert (forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (bvadd x y) #x2a))))

; unsat
(assert (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (= (bvmul #x2 y) x))))

; sat
(assert (exists ((x Bool)) (forall ((y Bool)) (or x y))))

; unsat
(assert (exists ((x Bool)) (forall ((y Bool)) (= x y))))

; unsat
(assert (forall ((x Real)) (distinct (* x x) 2.0)))

; sat
(assert (forall ((x Real)) (>= (* x x) 0.0)))

; unsat
(declare-const a Real)
(assert (forall ((x Real)) (> (+ (* x x) (* a x)) 0.0)))

; sat
(declare-const a Real)
(assert (forall ((x Real)) (> (+ (* x x) (* a x) 1.0) 0.0)))

; unsat
(declare-const a Real)
(assert (> a 3.0))
(assert (forall ((x Real)) (> (+ (* x x) (* a x) 1.0) 0.0)))

; unsat
(assert (forall ((s String)) (> (str.len s) 0)))

; sat
(assert (exists ((s String)) (= (str.len s) 5)))

; unsat
(assert (exists ((s String)) (distinct (str.++ s "") s)))

; unsat
(declare-fun f (Int) Int)
(declare-fun g (Int) Int)
(assert (forall ((x Int)) (= (f x) (g x))))
(assert (exists ((x Int)) (distinct (f x) (g x))))

; unsat
(declare-sort U 0)
(declare-fun r (U U) Bool)
(assert (forall ((x U)) (r x x)))
(assert (exists ((x U) (y U)) (and (= x y) (not (r x y)))))

; unsat
(declare-sort U 0)
(declare-fun r (U U) Bool)
(assert (forall ((x U) (y U)) (=> (r x y) (r y x))))
(assert (exists ((x U) (y U)) (distinct (r x y) (r y x))))
