; sat
(declare-const x Int)
(assert (= (mod x 7) 3))
(assert (= (mod x 5) 4))
(assert (> x 100))

; unsat
(declare-const x Int)
(assert (= (* 2 x) 7))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* 6 x) (* 9 y)) 5))

; sat
(declare-const x Int)
(assert (= (div x (- 3)) (- 5)))
(assert (= (mod x (- 3)) 2))

; unsat
(declare-const x Int)
(assert (< (mod x 5) 0))

; unsat
(declare-const x Int)
(assert (distinct x 0))
(assert (>= (mod 17 x) (abs x)))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (distinct y 0))
(assert (distinct x (+ (* y (div x y)) (mod x y))))

; sat
(declare-const x Int)
(assert (distinct (div x 0) 0))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (= x y))
(assert (distinct (div x 0) (div y 0)))

; sat
(declare-const x Int)
(declare-const y Int)
(assert (distinct (div x 0) (div y 0)))

; unsat
(declare-const x Int)
(assert (= (* x x) 2))

; unsat
(declare-const x Int)
(assert (< (* x x) 0))

; sat
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* x x) (* y y)) 25))
(assert (> x y 0))

; unsat
(declare-const x Int)
(assert (= (mod (* x x) 4) 2))

; unsat
(declare-const x Int)
(assert (= (mod (* x x) 3) 2))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (> x 0))
(assert (> y 0))
(assert (< (* x y) x))

; sat
(declare-const x Int)
(assert (= (* x x x) (- 27)))

; unsat
(declare-const x Int)
(assert (> (abs x) 3))
(assert (< (* x x) 10))

; sat
(declare-const x Int)
(assert ((_ divisible 6) x))
(assert (not ((_ divisible 4) x)))
(assert (< 0 x))

; unsat
(declare-const x Int)
(assert ((_ divisible 6) x))
(assert (not ((_ divisible 3) x)))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (< x y (+ x 1)))

; sat
(declare-const x Int)
(declare-const y Int)
(assert (< x y (+ x 2)))

; unsat
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (distinct x y z))
(assert (<= 0 x 1))
(assert (<= 0 y 1))
(assert (<= 0 z 1))

; unsat
(declare-const a Int)
(declare-const b Int)
(assert (= (+ a b) 3))
(assert (= (- a b) 2))

; sat
(declare-const a Int)
(assert (= (abs a) (- a)))
(assert (distinct a 0))

; unsat
(declare-const a Int)
(assert (< (abs a) a))

; sat
(declare-const a Int)
(declare-const b Int)
(assert (= (* a b) 36))
(assert (= (+ a b) (- 13)))

; unsat
(declare-const a Int)
(declare-const b Int)
(assert (= (* a b) 36))
(assert (= (+ a b) 14))

; unsat
(declare-const a Int)
(assert (= (div (+ a 1) 2) (div a 2)))
(assert (= (mod a 2) 1))

; sat
(declare-const a Int)
(assert (= (div (+ a 1) 2) (div a 2)))

; unsat
(declare-const a Int)
(assert (distinct (div (div a 2) 3) (div a 6)))

; unsat
(declare-const a Int)
(assert (= (mod a 10) 3))
(assert (= (mod a 5) 4))

; sat
(declare-const p Bool)
(declare-const a Int)
(assert (= a (ite p 3 (+ a 1))))

; unsat
(declare-const p Bool)
(declare-const a Int)
(assert (= (ite p a (+ a 2)) (+ a 1)))

; unsat
(declare-const a Int)
(declare-const b Int)
(assert (= (- a b) (- b a)))
(assert (distinct a b))

; sat
(declare-const a Int)
(declare-const b Int)
(assert (> (* a b) 1000000007))
(assert (< a 40000))
(assert (< b 40000))

; unsat
(declare-const a Int)
(assert (> (mod a 1000) 999))

; unsat
(declare-const a Int)
(declare-const b Int)
(assert (and (> a b) (> b a)))

; sat
(declare-const a Int)
(assert (= (mod (- a) 8) 3))
(assert (> a 8))

; unsat
(declare-const a Int)
(assert (= (- (div (- a) 2)) (- (div a 2) 1)))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (= (* x y) 0))
(assert (distinct x 0))
(assert (distinct y 0))

; sat
(declare-const x Int)
(declare-const y Int)
(assert (= (- (* x x) (* 2 (* y y))) 1))
(assert (> y 0))

; unsat
(declare-const x Int)
(assert (xor (> x 5) (>= x 6)))

; sat
(declare-const x Int)
(assert (xor (> x 5) (>= x 7)))
