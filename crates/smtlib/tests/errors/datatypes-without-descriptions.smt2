(declare-datatypes ((A 0) (B 0)) (((a))))
