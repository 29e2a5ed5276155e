; A recursive function of the script, whose definition some solvers print back.
(set-logic UFLIA)
(declare-fun x () Int)
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(define-fun double ((n Int)) Int (* 2 n))
(assert (= (sum 4) (double x)))
(check-sat)
