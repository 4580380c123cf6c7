package volccd

// Assignment decides which pair of elements tests a pair of features that several pairs have
// ([Tang2011], section 5.2).
type Assignment int32

// The assignments.
const (
	// Dynamic: the first pair of elements that are not adjacent, in the order of the elements of
	// the first feature, and then of those of the second. Where there is none the pair is an orphan
	// (orphan.go).
	//
	// The paper's algorithm 5 takes the first in the order in which incident elements happen to be
	// listed, for features in the order of the traversal. Two orders may disagree about a pair,
	// which is then never tested. The order here depends on the pair only.
	Dynamic Assignment = iota
	// Static: the owners of the two features, even if they are adjacent or the same. There are no
	// orphans.
	Static
)

// assigned reports whether the elements a and b, which are not adjacent and have one feature each,
// are the first such of all that have these features: atA and atB, in rising order.
func (n *incidence) assigned(atA, atB []int32, a, b int32) bool {
	for _, i := range atA {
		for _, j := range atB {
			if i == a && j == b {
				return true
			}
			if !n.adjacent(i, j) {
				return false
			}
		}
	}
	return false
}

// orphan reports whether no two elements that have these features are apart.
func (n *incidence) orphan(atA, atB []int32) bool {
	for _, i := range atA {
		for _, j := range atB {
			if !n.adjacent(i, j) {
				return false
			}
		}
	}
	return true
}
