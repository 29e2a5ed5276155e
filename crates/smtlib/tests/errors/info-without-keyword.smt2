(set-info status sat)
