module quarry

go 1.26.0
