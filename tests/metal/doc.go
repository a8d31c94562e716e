// Package metal is the claims that only a machine can settle: it builds guest
// programs into images, boots them on a matrix of machines and judges what they
// say and what they leave behind. Its tests are the whole of it; the guests, one
// folder each, are below guest.
package metal
