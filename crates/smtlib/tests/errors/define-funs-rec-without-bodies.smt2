(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) (x))
