(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const x List)
(assert (= 1 (match x ((nil 1) ((cons h t) true)))))
