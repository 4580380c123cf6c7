package main

// ofCertificates are mutants of the program that checks certificates.
var ofCertificates = []mutant{
	{"a certificate: a value may vanish at the start of a piece", "bindings/python/ccd/certificate",
		"return min(f) >= 0 and f[0] > 0 and", "return min(f) >= 0 and", []string{"certificate"}},
	{"a certificate: pieces may end before the claim does", "bindings/python/ccd/certificate",
		"require(s0 == end and pieces,", "require(pieces,", []string{"certificate"}},
	{"a certificate: an axis that separates two primitives at the start is enough", "bindings/python/ccd/certificate",
		"if min(x[k] for x in high) - max(x[k] for x in low) >= gap:", "if True:", []string{"certificate"}},
	{"a certificate: boxes that an axis separates at the end alone", "bindings/python/ccd/certificate",
		"x[k + 1] + d < y[k] and x[k + 3] + d < y[k + 2]", "x[k + 3] + d < y[k + 2]", []string{"certificate"}},
	{"a certificate: a crossing beyond a border of the face", "bindings/python/ccd/certificate",
		"return changes and all(min(w) >= 0 or divides(g, w) for w in within)", "return changes",
		[]string{"certificate"}},
	{"a certificate: a factor need not divide", "bindings/python/ccd/certificate",
		"    return not any(f)\n", "    return True\n", []string{"certificate"}},
	{"a certificate: pairs that cross the middle of a tree are left out", "bindings/python/ccd/certificate",
		"(a.parts[1], a.parts[1]), (a.parts[0], a.parts[1])]", "(a.parts[1], a.parts[1])]", []string{"certificate"}},
	{"a certificate: the separation is forgotten along a direction", "bindings/python/ccd/certificate",
		"                if self.d and kind != \"ef\":  #", "                if False:  #", []string{"certificate"}},
}
