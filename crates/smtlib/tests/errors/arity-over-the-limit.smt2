(declare-sort S 99999999999999)
