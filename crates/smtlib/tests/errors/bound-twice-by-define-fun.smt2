(define-fun f ((x Int) (x Int)) Int x)
