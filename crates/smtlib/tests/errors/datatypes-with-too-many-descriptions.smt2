(declare-datatypes ((A 0)) (((a)) ((b))))
