package qemu

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// drain is how long to wait for the output of a QEMU that has ended.
const drain = 2 * time.Second

// Run boots the machine, copies what the guest prints to console (which may be
// nil) and judges how it ended. The error is for a machine that was never
// started, or whose context ended first; everything else is an Outcome. When Run
// returns, QEMU and everything that it started is gone.
func Run(ctx context.Context, m Machine, console io.Writer) (Result, error) {
	if err := m.Validate(); err != nil {
		return Result{}, err
	}
	path, err := find()
	if err != nil {
		return Result{}, err
	}
	return m.run(ctx, path, console)
}

func (m Machine) run(ctx context.Context, path string, out io.Writer) (Result, error) {
	limited, cancel := context.WithTimeout(ctx, m.Deadline)
	defer cancel()
	con, said := &console{to: out}, &complaints{}
	args, socket, cleanUp, err := m.withMonitor()
	if err != nil {
		return Result{}, err
	}
	defer cleanUp()
	cmd := exec.CommandContext(limited, path, args...)
	cmd.Stdout, cmd.Stderr = con, said
	var cpus []CPUState
	asked := false // the guest for a record
	var start time.Time
	var elapsed time.Duration
	cmd.Cancel = func() error {
		elapsed = min(time.Since(start), m.Deadline)
		if socket != "" && ctx.Err() == nil {
			asked = !con.has(crashBegin)
			cpus = autopsy(socket, func() bool { return con.has(crashBegin) })
		}
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	cmd.WaitDelay = answerLimit + recordLimit + autopsyLimit + drain // it runs from the deadline on, too
	// A group of its own, so that one signal reaches whatever QEMU started; and
	// death with this process, which a kill would keep from cleaning up.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}

	start = time.Now()
	err = runOnThread(cmd)
	if elapsed == 0 {
		elapsed = time.Since(start)
	}
	r := Result{Status: cmd.ProcessState.ExitCode(), CPUs: cpus, Elapsed: elapsed}
	con.finish()
	r.Lines, r.Dropped, r.Stderr = con.lines, con.dropped, said.text()
	killed := r.Status == -1
	switch {
	case cmd.ProcessState == nil:
		return r, err // it could not be started at all
	case killed && ctx.Err() != nil:
		return r, ctx.Err()
	}
	// A guest that ended by itself while it was about to be asked has ended.
	m.judge(&r, limited.Err() != nil && (killed || asked && r.Status == statusCrash), asked)
	if r.Outcome == LaunchFailure {
		r.Stderr = strings.TrimSpace(r.Stderr + "\nQEMU ended with " + cmd.ProcessState.String())
	}
	return r, nil
}

// withMonitor is Args with a monitor, if the machine is to have one, and its
// socket in a folder of its own.
func (m Machine) withMonitor() (args []string, socket string, cleanUp func(), err error) {
	if !m.Autopsy {
		return m.Args(), "", func() {}, nil
	}
	dir, err := os.MkdirTemp("", "hearth")
	if err != nil {
		return nil, "", nil, err
	}
	socket = filepath.Join(dir, "qmp")
	args = append(m.Args(), "-qmp", "unix:"+socket+",server=on,wait=off")
	return args, socket, func() { os.RemoveAll(dir) }, nil
}

// runOnThread keeps the thread that forks: the kernel takes its end, not the
// process's, for the death of the parent.
func runOnThread(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return cmd.Run()
}
