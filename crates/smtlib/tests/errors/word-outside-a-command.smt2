check-sat
