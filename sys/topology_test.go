package sys

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// tree writes files below a new folder and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Two packages, each of two SMT-2 cores behind its own LLC, CPU 5 offline: Linux
// numbers siblings i and i+4.
func TestLinuxTopologyIsNumberedOverTheMachine(t *testing.T) {
	files := map[string]string{"cpu/online": "0-4,6-7"}
	for cpu := range 8 {
		dir := "cpu/cpu" + strconv.Itoa(cpu) + "/"
		low, llc := strconv.Itoa(cpu%4), [...]string{"0-1,4-5", "2-3,6-7"}[cpu%4/2]
		files[dir+"topology/thread_siblings_list"] = low + "," + strconv.Itoa(cpu%4+4)
		files[dir+"topology/physical_package_id"] = strconv.Itoa(cpu % 4 / 2)
		files[dir+"cache/index0/level"] = "1"
		files[dir+"cache/index0/shared_cpu_list"] = low
		files[dir+"cache/index3/level"] = "3"
		files[dir+"cache/index3/shared_cpu_list"] = llc
		files[dir+"node"+strconv.Itoa(cpu%4/2)+"/cpulist"] = llc
	}
	top, err := linuxTopology(tree(t, files))
	if err != nil {
		t.Fatal(err)
	}
	want := []CPU{
		{ID: 0, Core: 0, LLC: 0, Node: 0, Package: 0},
		{ID: 1, Core: 1, LLC: 0, Node: 0, Package: 0},
		{ID: 2, Core: 2, LLC: 1, Node: 1, Package: 1},
		{ID: 3, Core: 3, LLC: 1, Node: 1, Package: 1},
		{ID: 4, Core: 0, LLC: 0, Node: 0, Package: 0, SMT: 1},
		{ID: 6, Core: 2, LLC: 1, Node: 1, Package: 1, SMT: 1},
		{ID: 7, Core: 3, LLC: 1, Node: 1, Package: 1, SMT: 1},
	}
	if !reflect.DeepEqual(top.CPUs, want) {
		t.Errorf("got  %+v\nwant %+v", top.CPUs, want)
	}
	if top.LLCs() != 2 || top.Cores() != 4 {
		t.Errorf("%d LLCs, %d cores; want 2 and 4", top.LLCs(), top.Cores())
	}
	if top.CPU(5) != nil || top.CPU(6).ID != 6 {
		t.Error("CPU 5 is offline, CPU 6 is not")
	}
}

func TestLinuxTopologyWithoutCachesTakesOneLLCAPackage(t *testing.T) {
	top, err := linuxTopology(tree(t, map[string]string{
		"cpu/online":                          "0-2",
		"cpu/cpu0/topology/package_cpus_list": "0-1",
		"cpu/cpu1/topology/package_cpus_list": "0-1",
		"cpu/cpu2/topology/package_cpus_list": "2",
		"cpu/cpu1/cache/index0/level":         "nonsense",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []CPU{{ID: 0}, {ID: 1, Core: 1}, {ID: 2, Core: 2, LLC: 1}}
	if !reflect.DeepEqual(top.CPUs, want) {
		t.Errorf("got  %+v\nwant %+v", top.CPUs, want)
	}
}

func TestLinuxTopologyWithoutFilesIsTheProcessMask(t *testing.T) {
	top, err := linuxTopology(t.TempDir())
	if err != nil || len(top.CPUs) != processMask.Count() || top.LLCs() != 1 || top.Cores() != len(top.CPUs) {
		t.Errorf("%+v, %v; want the CPUs %v in one LLC", top, err, &processMask)
	}
}

func TestInfoMeasuresTheTSCItReads(t *testing.T) {
	info, err := ReadInfo()
	if err != nil {
		t.Fatal(err)
	}
	began, from := bothClocks()
	time.Sleep(50 * time.Millisecond)
	ended, to := bothClocks()
	hz := float64(to-from) / (ended - began).Seconds()
	if ratio := hz / float64(info.TSCHz); ratio < 0.95 || ratio > 1.05 {
		t.Errorf("%d Hz from %s, but %.0f ticks a second", info.TSCHz, info.TSCSource, hz)
	}
	again, _ := ReadInfo()
	if info.CPU == "" || info.Memory == 0 || again != info {
		t.Errorf("%+v, then %+v", info, again)
	}
}

func TestLinuxHasNoStats(t *testing.T) {
	if _, err := ReadStats(); !errors.Is(err, syscall.ENOSYS) {
		t.Errorf("error %v, want ENOSYS", err)
	}
	if _, err := ReadEntryLengths(); !errors.Is(err, syscall.ENOSYS) {
		t.Errorf("lengths: error %v, want ENOSYS", err)
	}
	if _, err := ReadMemory(); !errors.Is(err, syscall.ENOSYS) {
		t.Errorf("memory: error %v, want ENOSYS", err)
	}
	got := Stats{Kicks: 5, Signals: 9}.Sub(Stats{Kicks: 2, Signals: 1})
	if want := (Stats{Kicks: 3, Signals: 8}); got != want {
		t.Errorf("difference %+v, want %+v", got, want)
	}
}

func TestTextHoldsThisVeryFunction(t *testing.T) {
	start, end := textBounds()
	here := reflect.ValueOf(TestTextHoldsThisVeryFunction).Pointer()
	if here < start || here >= end || len(Text()) != int(end-start) {
		t.Errorf("function at %#x, text from %#x to %#x", here, start, end)
	}
}
