package narrow

import "ccd/core/exact"

// Before proves pairs apart before a time, as exact.Before does.
type Before = exact.Before
