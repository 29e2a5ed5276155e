((check-sat))
