(check-sat
