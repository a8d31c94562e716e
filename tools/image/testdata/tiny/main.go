// Copyright (c) 2026 The Hearth Authors. All rights reserved.
// Use of this source code is governed by the BSD-3-Clause licence in LICENSE.

// Command tiny is the smallest image: its 32-bit entry checks where it was
// loaded, says so on the serial port and ends the machine.
package main

func main() {}
