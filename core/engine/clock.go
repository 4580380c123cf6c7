package engine

import "time"

// Clock measures a call and its parts, one after the other.
type Clock struct{ began, lap time.Time }

// Start begins the call and its first part.
func (c *Clock) Start() {
	c.began = time.Now()
	c.lap = c.began
}

// Lap returns the seconds of the part that ends now; the next one begins.
func (c *Clock) Lap() float64 {
	now := time.Now()
	d := now.Sub(c.lap)
	c.lap = now
	return d.Seconds()
}

// Seconds returns the seconds since Start.
func (c *Clock) Seconds() float64 { return time.Since(c.began).Seconds() }
