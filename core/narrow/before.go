package narrow

import "ccd/core/exact"

// Before is exact.Before.
type Before = exact.Before
