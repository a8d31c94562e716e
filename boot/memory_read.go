package boot

import "unsafe"

// Physical reads physical memory through a mapping. Reads beyond the limit give
// zeros, so a parser that forgot a bound reads nonsense and never faults.
type Physical struct {
	Base  uintptr // virtual address of physical address 0
	Limit uint64  // first physical address that is not mapped
}

// has reports whether size bytes from address can be read.
func (p *Physical) has(address, size uint64) bool {
	return size <= p.Limit && address <= p.Limit-size
}

func (p *Physical) byte(address uint64) byte {
	if address >= p.Limit {
		return 0
	}
	at := p.Base + uintptr(address)
	return **(**byte)(unsafe.Pointer(&at))
}

func (p *Physical) word16(address uint64) uint16 {
	return uint16(p.byte(address)) | uint16(p.byte(address+1))<<8
}

func (p *Physical) word32(address uint64) uint32 {
	return uint32(p.word16(address)) | uint32(p.word16(address+2))<<16
}

func (p *Physical) word64(address uint64) uint64 {
	return uint64(p.word32(address)) | uint64(p.word32(address+4))<<32
}

// matches reports whether memory at address reads as text.
func (p *Physical) matches(address uint64, text string) bool {
	for i := 0; i < len(text); i++ {
		if p.byte(address+uint64(i)) != text[i] {
			return false
		}
	}
	return true
}

// sum adds up size bytes from address; ACPI's structures sum to zero.
func (p *Physical) sum(address, size uint64) byte {
	total := byte(0)
	for i := uint64(0); i < size; i++ {
		total += p.byte(address + i)
	}
	return total
}
