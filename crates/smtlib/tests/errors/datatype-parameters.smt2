(declare-datatypes ((List 1)) (((nil) (cons (head Int) (tail List)))))
