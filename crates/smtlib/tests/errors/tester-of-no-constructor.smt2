(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert ((_ is snoc) x))
