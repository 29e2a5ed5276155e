(declare-datatypes ((E 0)) (()))
