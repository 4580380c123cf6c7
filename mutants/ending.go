package main

import "regexp"

// ending is how a suite, or some tests of it, ended.
type ending int

const (
	passed ending = iota
	failed
	timedOut // no test failed, and one did not end
)

// tooLate is the status of timeout(1) for a command that it stopped.
const tooLate = 124

// ended returns how a command ended, by its status and what it printed.
func ended(status int, out string) ending {
	switch {
	case status == 0:
		return passed
	case firstFailure(out) != "":
		return failed
	case status == tooLate, endless.MatchString(out):
		return timedOut
	default:
		return failed
	}
}

var (
	endless = regexp.MustCompile(`(?m)^panic: test timed out|^SIGXCPU`)
	failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^not ok \d+ - (.*)|^FAILED \S+::(\S+)`)
	begun   = regexp.MustCompile(`(?m)^=== RUN +(\S+)`)
)

// firstFailure returns the name of the first test that failed, in Go, Node.js or Python.
func firstFailure(out string) string {
	found := failure.FindStringSubmatch(out)
	if found == nil {
		return ""
	}
	return found[1] + found[2] + found[3]
}

// culprit is firstFailure, or the test that began last: the one that ran when a program crashed or
// its time was up.
func culprit(out string) string {
	if name := firstFailure(out); name != "" {
		return name
	}
	if all := begun.FindAllStringSubmatch(out, -1); all != nil {
		return all[len(all)-1][1]
	}
	return ""
}
