package meshfile

import (
	"ccd/core/status"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// DecodeFile decodes the content of a file; errors of decode then begin with the path.
func DecodeFile[T any](path string, decode func([]byte) (*T, error)) (*T, error) {
	data, err := LoadFile(path)
	if err != nil {
		return nil, err
	}
	decoded, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return decoded, nil
}

// LoadFile returns the content of a regular file. It does not open other files: a pipe or a
// terminal may never end, opening a pipe waits for a writer, and opening a device may have side
// effects. Errors are of the kind status.ErrFile.
func LoadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	// The path may name another file by now: opening does not wait for a pipe's writer, and the
	// open file is checked again.
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
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
	data := make([]byte, info.Size()) // A file that is written to meanwhile would never end.
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, unreadable(err)
	}
	return data[:n], nil
}

// unreadable returns an error about the file itself; errors of this package are returned unchanged.
func unreadable(err error) error {
	if errors.Is(err, status.ErrFile) {
		return err
	}
	err = portable(err)
	if at := (*fs.PathError)(nil); errors.As(err, &at) { // without the name of the system's call
		return status.Errorf(status.ErrFile, "%s: %v", at.Path, at.Err)
	}
	return status.Errorf(status.ErrFile, "%v", err)
}

// portable returns an error about a path in the words of Unix. Those of Windows depend on its
// language, and callers compare texts.
func portable(err error) error {
	var at *fs.PathError
	if runtime.GOOS != "windows" || !errors.As(err, &at) {
		return err
	}
	switch {
	case errors.Is(at.Err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or directory", at.Path)
	case errors.Is(at.Err, fs.ErrPermission):
		return fmt.Errorf("%s: permission denied", at.Path)
	}
	return err
}

// regular returns an error for a file that is not regular.
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
	return status.Errorf(status.ErrFile, "%s is %s: only regular files are read; save its content to one first",
		path, kind)
}
