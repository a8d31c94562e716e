// Copyright (c) 2026 The Hearth Authors. All rights reserved.
// Use of this source code is governed by the BSD-3-Clause licence in LICENSE.

// Command hang is an image that says where it is and then waits for ever.
package main

func main() {}
