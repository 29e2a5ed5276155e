(declare-datatype P ((pair (first) (second Int))))
