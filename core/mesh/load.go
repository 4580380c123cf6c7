package mesh

import (
	"ccd/core/status"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// LoadFile is the content of a regular file. Others are refused before they are opened: a pipe or a terminal may never end, opening a pipe
// waits for somebody to write, and a device may do anything. Errors are of the kind status.ErrFile.
func LoadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	// What the path names may have changed since: opening does not wait for a pipe's writer, and what was opened is looked at.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	data := make([]byte, info.Size()) // and no more: a file that is written to meanwhile would never end either
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, unreadable(err)
	}
	return data[:n], nil
}

// unreadable is an error about a file as such. One of ours stays as it is.
func unreadable(err error) error {
	if errors.Is(err, status.ErrFile) {
		return err
	}
	return status.Errorf(status.ErrFile, "%v", err)
}

// regular refuses what is no regular file.
func regular(path string, info fs.FileInfo) error {
	mode := info.Mode()
	if mode.IsRegular() {
		return nil
	}
	kind := "no regular file"
	switch {
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	if kind == "a directory" {
		return status.Errorf(status.ErrFile, "%s is a directory", path)
	}
	return status.Errorf(status.ErrFile, "%s is %s: only regular files are read; save its content to one first", path, kind)
}
