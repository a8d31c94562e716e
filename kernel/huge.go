package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/process"
	"sync/atomic"
)

// stock is what a CPU has ready for page faults: a frame and a block of frames,
// cleared without the space's lock. A block takes many entries to clear, of whatever
// faults the CPU meets meanwhile; a CPU that runs short takes others' blocks.
type stock struct {
	page  atomic.Uint64 // a cleared frame, 0: none; written by its CPU alone
	block atomic.Uint64 // physical address; in the low bits how many pages of it are clear
	large bool          // this fault may be answered by a large page
}

var stocks [cpu.Max]stock

// clearPages is how many pages of a block a fault clears: some 12,000 instructions.
const clearPages = 24

// largeReserve is how much memory must stay free beyond a large page, in frames:
// what is left on a machine that is short of memory goes in small ones.
const largeReserve = 64 << 20 / boot.PageSize

// fitsLarge reports whether a large page around an address would lie in one
// region of plain data.
func fitsLarge(r *process.Region, address uintptr) bool {
	start := uint64(address) &^ (boot.BlockSize - 1)
	return r.Protection == process.Readable|process.Writable && r.Start <= start && start+boot.BlockSize <= r.End
}

// giveBlock maps the stock's block around an address. The caller holds the
// space's lock.
func (s *space) giveBlock(address uintptr, bits uint64, from *stock) (physical uint64, a access) {
	block := from.block.Swap(0)
	if block&(boot.BlockSize-1) != boot.BlockSize/boot.PageSize {
		from.block.Store(block)
		return 0, accessNoBlock
	}
	physical = block &^ (boot.BlockSize - 1)
	if !s.tables.Put(address, physical, boot.LargeBits(bits), 1) {
		from.block.Store(block)
		return 0, accessNoRAM
	}
	return physical + uint64(address&(boot.BlockSize-1)), accessGiven
}

// fillPage provides a cleared frame; false when no RAM is left.
func (k *stock) fillPage() bool {
	if k.page.Load() == 0 {
		k.page.Store(boot.RAM.TakeClear())
	}
	return k.page.Load() != 0
}

// fillBlock clears another piece of the stock's block. have is false when there
// is no block to be had.
func (k *stock) fillBlock() (ready, have bool) {
	block := k.block.Swap(0)
	if block == 0 {
		if block = boot.RAM.TakeBlock(max(boot.RAM.Total()/4, largeReserve)); block == 0 {
			return false, false
		}
	}
	done := block & (boot.BlockSize - 1)
	pages := min(boot.BlockSize/boot.PageSize-done, clearPages)
	boot.ClearPages(block-done+done*boot.PageSize, int(pages))
	block += pages
	k.block.Store(block)
	return block&(boot.BlockSize-1) == boot.BlockSize/boot.PageSize, true
}

// giveUpBlocks returns every CPU's block to RAM, and reports whether there were any.
func giveUpBlocks() (any bool) {
	for id := 0; id < onlineCount; id++ {
		if block := stocks[id].block.Swap(0); block != 0 {
			boot.RAM.ReturnBlock(block &^ (boot.BlockSize - 1))
			any = true
		}
	}
	return any
}

// stocked returns how many frames the stocks hold. A CPU that is clearing its block
// at this moment has it in hand, so the number may be a block short for each.
func stocked() (frames uint64) {
	for id := 0; id < onlineCount; id++ {
		if stocks[id].block.Load() != 0 {
			frames += boot.BlockSize / boot.PageSize
		}
		if stocks[id].page.Load() != 0 {
			frames++
		}
	}
	return frames
}
