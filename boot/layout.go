package boot

import "unsafe"

// The kernel's part of every address space. Programs have what lies below
// ImageBase.
const (
	// ImageBase is where the image is linked; its ELF header stands there.
	ImageBase = 0x7e0000000000
	// DirectBase is where physical address 0 appears in the direct map of RAM.
	DirectBase = 0xffff800000000000
	// DeviceBase is where physical address 0 appears in the device window,
	// in which only registers that were asked for are mapped, uncached.
	DeviceBase = 0xffffc00000000000
	// StackBase is where the kernel stacks lie, each above a page that is
	// never mapped.
	StackBase = 0xffffd00000000000
	// firstKernelSlot is the first slot of a top-level table that all address
	// spaces share.
	firstKernelSlot = ImageBase >> 39
)

// PageSize is the size of the smallest page, in bytes.
const PageSize = 4096

// scratchSize is the size of the area below the image that holds the first
// page tables (entry_amd64.s).
const scratchSize = 0x10000

// loadAddress returns the physical address at which the image was loaded.
func loadAddress() uint64

// window is what to add to a physical address to reach it: nothing under the
// first tables, which map it at itself, DirectBase under the kernel's.
var window uintptr

// Direct returns the address at which the kernel reaches a physical address of
// RAM.
func Direct(physical uint64) uintptr { return window + uintptr(physical) }

// table is one page table, of any level.
type table [512]uint64

func tableAt(physical uint64) *table { return (*table)(unsafe.Pointer(Direct(physical))) }

// ClearPage fills the page at a physical address with zeroes.
func ClearPage(physical uint64) { ClearPages(physical, 1) }

// ClearPages fills n neighbouring pages with zeroes.
//
//go:nocheckptr
func ClearPages(physical uint64, n int) {
	clear(unsafe.Slice((*uint64)(unsafe.Pointer(Direct(physical))), n*PageSize/8))
}

// FirstTables returns the physical address of the tables that the image was
// entered with: they map the first 4 GiB at themselves and the image at its
// place, which is what a CPU needs on its way from real mode.
func FirstTables() uint64 { return loadAddress() - scratchSize }
