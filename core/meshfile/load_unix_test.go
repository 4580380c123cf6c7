//go:build unix

package meshfile

import (
	"ccd/core/status"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What is no regular file is refused at once: a pipe with nobody at its other end would never let
// go.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	pipe, socket, link := filepath.Join(dir, "pipe.obj"), filepath.Join(dir, "s"), filepath.Join(dir, "link.obj")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		pipe: "is a pipe: only regular files", link: "is a pipe", socket: "is a socket", os.DevNull: "is a device",
		dir:                        "is a directory",
		filepath.Join(dir, "none"): "no such file",
	} {
		done := make(chan error)
		go func() {
			_, err := Read(path)
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), want) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", path, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: reading does not end", path)
		}
	}
}
