// Command tiny is the smallest image: its 32-bit entry checks where it was
// loaded, says so on the serial port and ends the machine.
package main

func main() {}
