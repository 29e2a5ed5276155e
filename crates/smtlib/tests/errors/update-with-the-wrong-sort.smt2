(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert (= x ((_ update head) x true)))
