(define-fun f ((x Int)) Bool (+ x 1))
