// Command drivers links those packages of TamaGo that Hearth may use, so that a
// Go or TamaGo release which asks for more than the shadow GOROOT gives is
// noticed here.
package main

import (
	"github.com/usbarmory/tamago/amd64"
	"github.com/usbarmory/tamago/amd64/lapic"
	"github.com/usbarmory/tamago/dma"
	"github.com/usbarmory/tamago/kvm/pvclock"
	"github.com/usbarmory/tamago/soc/intel/ioapic"
	"github.com/usbarmory/tamago/soc/intel/pci"
	"github.com/usbarmory/tamago/soc/intel/rtc"
	"github.com/usbarmory/tamago/soc/intel/uart"
)

func main() {
	cpu := &amd64.CPU{}
	cpu.Init()
	cpu.ServiceInterrupts(nil)
	pvclock.Init(cpu)
	(&lapic.LAPIC{}).Enable()
	(&ioapic.IOAPIC{}).Init()
	(&uart.UART{}).Init()
	clock := &rtc.RTC{}
	println(cpu.Name(), dma.Default(), pci.Devices(0), clock)
}
