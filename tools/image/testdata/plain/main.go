// Copyright (c) 2026 The Hearth Authors. All rights reserved.
// Use of this source code is governed by the BSD-3-Clause licence in LICENSE.

// Command plain is a Go program without a kernel.
package main

func main() {}
