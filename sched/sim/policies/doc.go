// Package policies holds other schedulers' rules as policies of the simulator's model,
// one file each, to be scored on the same scenarios as Hearth.
//
// Each is what that scheduler's documents say it does, reduced to where threads start,
// wake and move; a name with a version or a project's name is the form in which a
// failure was reported. A policy that fails the scenario of its report is that
// scenario's control. A program that imports the package has them all; your own is one
// more file here.
package policies
