package query

// The range of magnitudes in which the bounds of the kernels hold, and where they count as something else.
const (
	// Beyond Largest nothing is excluded, so no test overflows; a test whose magnitude (S_k, sum|d_k| S_k, P) lies
	// below Smallest excludes nothing, so that underflow, at most 2^-560 under the first condition, is far below the
	// slack of every bound.
	Largest  = 0x1p250
	Smallest = 0x1p-500
	// Least32: a magnitude below it counts as this much, so that the error of an entry that underflows is far below U M.
	Least32 = 0x1p-100
	// Beyond Largest32 nothing is excluded, so no test overflows; a test whose magnitude lies below Smallest32 excludes nothing, so that underflow, at
	// most 2^-110, is far below the slack of every bound, half of U Smallest32.
	Largest32  = 0x1p30
	Smallest32 = 0x1p-60
	// LeastMinor covers the underflow in a minor, below 2^-815 because no entry exceeds 2^250.
	LeastMinor = 0x1p-800
	// SmallestVolume: underflow, below 2^-560, is then far below the slack of the bounds, 80 * 2^-106 P.
	SmallestVolume = 0x1p-400
	// LeastTime: a root that is not above it is left undecided.
	LeastTime = 0x1p-60
	// LargestPiece takes the place of Largest: directions on pieces are products of three lengths more, at most 2^458.
	LargestPiece = 0x1p150
)
