module ccd

go 1.26.0

require (
	github.com/mattn/go-pointer v0.0.1
	golang.org/x/sys v0.49.0
	gonum.org/v1/gonum v0.17.0
)
