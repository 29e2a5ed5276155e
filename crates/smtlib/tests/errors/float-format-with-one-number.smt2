(declare-const x (_ FloatingPoint 8))
