(declare-fun x () Int)
(declare-fun x () Real)
