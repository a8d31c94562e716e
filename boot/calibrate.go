package boot

// Offsets of the HPET's registers.
const (
	hpetCapabilities = 0x000
	hpetConfigure    = 0x010
	hpetCounter      = 0x0f0
	hpetWide         = 1 << 13
	hpetEnable       = 1
)

// references are the counters that the TSC is measured against.
type references struct {
	pmPort   uint16
	hpet     uintptr
	hpetWide bool
}

// CalibrateTSC measures the TSC against the PM timer and the HPET, for a
// fiftieth of a second, and stores rate and source in info. stated is the rate
// that CPUID tells, 0: none. disputed reports that two sources differ by more
// than a thousandth.
func CalibrateTSC(info *Info, stated uint64) (ok, disputed bool) {
	r := references{pmPort: info.PMTimerPort}
	if info.HPETBase != 0 {
		r.openHPET(info)
	}
	var pm, hpet [2]Sample
	r.sample(&pm[0], &hpet[0])
	r.wait()
	r.sample(&pm[1], &hpet[1])
	rates := Rates{Stated: stated}
	if r.pmPort != 0 {
		rates.PMTimer = RateByPMTimer(&pm[0], &pm[1], info.PMTimer32)
	}
	if r.hpet != 0 {
		rates.HPET = RateByHPET(&hpet[0], &hpet[1], info.HPETPeriod, r.hpetWide)
	}
	const tolerance = 1000 // parts per million
	info.TSCHz, info.TSCSource, _, disputed = rates.Choose(tolerance)
	return info.TSCHz != 0, disputed
}

func (r *references) openHPET(info *Info) {
	r.hpet = MapDevice(info.HPETBase, PageSize)
	if r.hpet == 0 {
		return
	}
	capabilities := Load64(r.hpet + hpetCapabilities)
	info.HPETPeriod = capabilities >> 32
	r.hpetWide = capabilities&hpetWide != 0
	Store64(r.hpet+hpetConfigure, Load64(r.hpet+hpetConfigure)|hpetEnable)
}

// readings is how often each counter is read for a sample; the quickest counts.
const readings = 5

func (r *references) sample(pm, hpet *Sample) {
	for i := 0; i < readings; i++ {
		if r.pmPort != 0 {
			before := ReadTSC()
			ticks := uint64(In32(r.pmPort))
			pm.Add(before, ticks, ReadTSC())
		}
		if r.hpet != 0 {
			before := ReadTSC()
			ticks := Load64(r.hpet + hpetCounter)
			hpet.Add(before, ticks, ReadTSC())
		}
	}
}

// wait lets a fiftieth of a second pass by whichever counter there is. A
// counter that stands still ends it by the TSC, after some 2^32 ticks.
func (r *references) wait() {
	const fraction, pmTicks = 50, pmTimerHz / 50
	start := ReadTSC()
	switch {
	case r.pmPort != 0:
		first := In32(r.pmPort)
		for (In32(r.pmPort)-first)&(1<<24-1) < pmTicks && ReadTSC()-start < 1<<32 {
			Pause()
		}
	case r.hpet != 0:
		hpetTicks := 1_000_000_000_000_000 / fraction / max(r.period(), 1)
		first := Load64(r.hpet + hpetCounter)
		for (Load64(r.hpet+hpetCounter)-first)&(1<<32-1) < hpetTicks && ReadTSC()-start < 1<<32 {
			Pause()
		}
	}
}

func (r *references) period() uint64 { return Load64(r.hpet+hpetCapabilities) >> 32 }
