; sat
(declare-const x Real)
(assert (= (* x x) 2.0))

; unsat
(declare-const x Real)
(assert (< (* x x) 0.0))

; sat
(declare-const x Real)
(assert (= (* 3.0 x) 1.0))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (< x y))
(assert (<= y x))

; unsat
(declare-const x Real)
(assert (= (* x x) 2.0))
(assert (= x 1.5))

; sat
(declare-const x Real)
(assert (< 1.4142 x 1.4143))
(assert (= (* x x) 2.0))

; unsat
(declare-const x Real)
(assert (< 1.5 x 1.6))
(assert (= (* x x) 2.0))

; sat
(declare-const x Real)
(declare-const y Real)
(assert (distinct (/ x 0.0) (/ y 0.0)))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (= x y))
(assert (distinct (/ x 0.0) (/ y 0.0)))

; sat
(declare-const x Real)
(assert (= (/ x 0.0) 5.0))

; unsat
(declare-const x Real)
(assert (distinct x 0.0))
(assert (distinct (* x (/ 1.0 x)) 1.0))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) (- 1.0)))

; sat
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 1.0))
(assert (= x y))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 1.0))
(assert (> x 1.0))

; sat
(declare-const x Real)
(assert (= (* x x x) 2.0))

; unsat
(declare-const x Real)
(assert (> x 0.0))
(assert (< (+ x (/ 1.0 x)) 2.0))

; sat
(declare-const x Real)
(assert (= (+ x (/ 1.0 x)) 2.5))

; unsat
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (< x y z x))

; sat
(declare-const x Real)
(declare-const y Real)
(assert (< 0.0 x 0.001))
(assert (> (* x y) 1000.0))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (< (* 2.0 (* x y)) (* (- 1.0) (+ (* x x) (* y y)))))

; sat
(declare-const x Real)
(assert (= (* x x) x))
(assert (distinct x 0.0))

; unsat
(declare-const x Real)
(assert (= (* x x) x))
(assert (distinct x 0.0))
(assert (distinct x 1.0))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (= (+ x y) 1.0))
(assert (= (+ (* 2.0 x) (* 2.0 y)) 3.0))

; sat
(declare-const x Real)
(declare-const y Real)
(assert (= (+ x y) 1.0))
(assert (= (- x y) 0.5))

; unsat
(declare-const x Real)
(assert (= (+ (* x x) x 1.0) 0.0))

; sat
(declare-const x Real)
(assert (= (- (* x x) x 1.0) 0.0))
(assert (> x 0.0))

; unsat
(declare-const x Real)
(assert (= (- (* x x) x 1.0) 0.0))
(assert (> x 2.0))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (> x 1.0))
(assert (> y 1.0))
(assert (<= (* x y) 1.0))

; sat
(declare-const x Real)
(assert (= (* x x x x) 5.0))
(assert (< x 0.0))

; unsat
(declare-const x Real)
(assert (= (* x x x x) (- 5.0)))

; unsat
(declare-const x Real)
(assert (and (< x 0.5) (> (* 2.0 x) 1.0)))

; sat
(declare-const x Real)
(assert (distinct x (/ x 3.0)))
(assert (< (/ x 3.0) x))

; unsat
(declare-const x Real)
(assert (< x 0.0))
(assert (<= x (* 2.0 x)))

; unsat
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(assert (< a b))
(assert (> c 0.0))
(assert (>= (* a c) (* b c)))

; sat
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(assert (< a b))
(assert (>= (* a c) (* b c)))

; unsat
(declare-const x Real)
(assert (= (/ 1.0 x) 0.0))
(assert (distinct x 0.0))

; sat
(declare-const x Real)
(assert (= (/ 1.0 x) 0.0))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (= (* x y) 1.0))
(assert (= (+ x y) 1.0))

; sat
(declare-const x Real)
(declare-const y Real)
(assert (= (* x y) 1.0))
(assert (= (+ x y) 3.0))

; unsat
(declare-const x Real)
(assert (= (* (- x 1.0) (- x 1.0)) 0.0))
(assert (> x 1.0))
