(get-info :name
