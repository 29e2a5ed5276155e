(declare-datatype C ((red) (green) (red)))
