// Command hang is an image that says where it is and then waits for ever.
package main

func main() {}
