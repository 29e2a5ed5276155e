; Prenex polymorphism as the SMT-LIB theory declarations write it.
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-fun app (par (T) ((List T) (List T)) (List T)))
(define-fun sec (par (T) ((l (List T))) T (head (tail l))))
(declare-const l (List Int))
(assert (= (app l l) l))
(assert (= (sec l) 3))
(check-sat)
