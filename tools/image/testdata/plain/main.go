// Command plain is a Go program without a kernel.
package main

func main() {}
