module hearth

go 1.26.4

require (
	github.com/usbarmory/tamago v1.26.5 // indirect
	golang.org/x/arch v0.33.0 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/tools v0.52.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
