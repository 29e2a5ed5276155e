; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert (= x (cons 1 x)))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(declare-const y List)
(assert (= x (cons 1 y)))
(assert (= y (cons 2 x)))

; sat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert ((_ is cons) x))
(assert ((_ is cons) (tail x)))
(assert (distinct (head x) (head (tail x))))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert (not ((_ is cons) x)))
(assert (not ((_ is nil) x)))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert ((_ is cons) x))
(assert (distinct (cons (head x) (tail x)) x))

; sat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert (distinct (cons (head x) (tail x)) x))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(declare-const y List)
(assert (= (cons 1 x) (cons 1 y)))
(assert (distinct x y))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const n Int)
(declare-const x List)
(assert (= (cons n x) nil))

; sat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(assert (= (head nil) 5))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert ((_ is nil) x))
(assert (distinct (head x) (head nil)))

; unsat
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-const a Colour)
(assert (distinct a red))
(assert (distinct a green))
(assert (distinct a blue))

; unsat
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-const a Colour)
(declare-const b Colour)
(declare-const c Colour)
(declare-const d Colour)
(assert (distinct a b c d))

; sat
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-const a Colour)
(declare-const b Colour)
(declare-const c Colour)
(assert (distinct a b c))
(assert (distinct a red))

; unsat
(assert (= 1 2))

; unsat
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-const t Tree)
(assert (= (left t) t))
(assert ((_ is node) t))

; sat
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-const t Tree)
(assert (= (left t) (right t)))
(assert ((_ is node) (left t)))
(assert ((_ is node) t))

; unsat
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-const t Tree)
(declare-const u Tree)
(assert (= t (node u leaf)))
(assert (= u (node leaf t)))

; unsat
(declare-datatypes ((Pair 2)) ((par (A B) ((mk (fst A) (snd B))))))
(declare-const p (Pair Int Bool))
(assert (distinct p (mk (fst p) (snd p))))

; sat
(declare-datatypes ((Pair 2)) ((par (A B) ((mk (fst A) (snd B))))))
(declare-const p (Pair Int Int))
(assert (= (fst p) (+ (snd p) 1)))
(assert (distinct p (mk 1 0)))

; unsat
(declare-datatypes ((Pair 2)) ((par (A B) ((mk (fst A) (snd B))))))
(declare-const p (Pair Bool Bool))
(declare-const q (Pair Bool Bool))
(declare-const r (Pair Bool Bool))
(declare-const s (Pair Bool Bool))
(declare-const t (Pair Bool Bool))
(assert (distinct p q r s t))

; unsat
(declare-datatypes ((A 0) (B 0)) (((a0) (a1 (toB B))) ((b1 (toA A)))))
(declare-const x A)
(declare-const y B)
(assert (= x (a1 y)))
(assert (= y (b1 x)))

; sat
(declare-datatypes ((A 0) (B 0)) (((a0) (a1 (toB B))) ((b1 (toA A)))))
(declare-const x A)
(declare-const y B)
(assert (= x (a1 y)))
(assert (distinct y (b1 a0)))

; unsat
(declare-datatypes ((Unit 0)) (((unit))))
(declare-const x Unit)
(declare-const y Unit)
(assert (distinct x y))

; unsat
(declare-datatypes ((Option 0)) (((none) (some (it Int)))))
(declare-const x Option)
(declare-const y Option)
(assert ((_ is some) x))
(assert ((_ is some) y))
(assert (= (it x) (it y)))
(assert (distinct x y))

; sat
(declare-datatypes ((Option 0)) (((none) (some (it Int)))))
(declare-const x Option)
(declare-const y Option)
(assert (= (it x) (it y)))
(assert (distinct x y))

; unsat
(declare-datatypes ((Option 0)) (((none) (some (it Int)))))
(declare-const x Option)
(assert (= (match x ((none 0) ((some n) (+ (* n n) 1)))) (- 1)))

; sat
(declare-datatypes ((Option 0)) (((none) (some (it Int)))))
(declare-const x Option)
(assert (= (match x ((none 0) ((some n) (+ (* n n) 1)))) 10))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert ((_ is cons) x))
(assert ((_ is cons) (tail x)))
(assert ((_ is cons) (tail (tail x))))
(assert (= x (tail (tail x))))

; unsat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun f (List) Int)
(declare-const x List)
(assert (= x (cons 1 nil)))
(assert (distinct (f (tail x)) (f nil)))

; sat
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun f (List) Int)
(assert (= (f nil) 0))
(assert (= (f (cons 1 nil)) 1))

; unsat
(declare-datatypes ((Rec 0)) (((rec (id Int) (ok Bool)))))
(declare-const r Rec)
(declare-const s Rec)
(declare-const t Rec)
(assert (= (id r) (id s) (id t)))
(assert (distinct r s t))

; unsat
(declare-datatypes ((Rec 0)) (((rec (id Int) (ok Bool)))))
(declare-const r Rec)
(assert (= (id r) 3))
(assert (ok r))
(assert (distinct r (rec 3 true)))

; unsat
(declare-datatypes ((N 0)) (((z) (s (p N)))))
(declare-const n N)
(assert (= (s (s n)) (s (s (s n)))))

; sat
(declare-datatypes ((N 0)) (((z) (s (p N)))))
(declare-const n N)
(declare-const m N)
(assert (distinct n z (s z) (s (s z)) m))
(assert (= (p m) n))

; unsat
(declare-datatypes ((N 0)) (((z) (s (p N)))))
(declare-const n N)
(assert ((_ is s) n))
(assert (= (p n) n))
