(push one)
