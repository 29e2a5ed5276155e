(declare-datatypes ((Stream 0)) (((cons (head Int) (tail Stream)))))
