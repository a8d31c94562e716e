package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// A shell has SIGINT ignored in what it starts in the background: that process, too,
// must end at the second signal.
func TestTheSecondSignalEndsTheProcess(t *testing.T) {
	const child = "HEARTH_TEST_SIGNAL"
	if os.Getenv(child) != "" {
		exitAtNextSignal()
		return
	}
	cmd := exec.Command("sh", "-c", `trap "" INT; echo; exec "$0" '-test.run=^TestTheSecondSignalEndsTheProcess$'`, os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1)) // from here on SIGINT is ignored
	}
	if err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() }).Stop()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if got, want := cmd.ProcessState.ExitCode(), 128+int(syscall.SIGINT); got != want {
				t.Errorf("exit status %d, want %d; %v", got, want, err)
			}
			return
		case <-time.After(20 * time.Millisecond): // it may not listen yet
			cmd.Process.Signal(os.Interrupt)
		}
	}
}
