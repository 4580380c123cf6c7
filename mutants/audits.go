package main

// ofAudits are mutants of the audit of recorded frames, and of VTK's polygonal data in XML.
var ofAudits = []mutant{
	{"an audit forgets the side of a pair that is in contact in a frame", "bindings/python/ccd/audit",
		"            before[row] = carried.get(tuple(named[row].tolist()), 0)\n", "            before[row] = 0\n",
		[]string{"audit"}},
	{"an audit: contacts of two edges belong to the faces of one alone", "bindings/python/ccd/audit",
		"(kind == Kind.EDGE_EDGE, (self._at_edge, a), b, (1, f)),", "", []string{"audit"}},
	{"an audit: a vertex half-way through a face touches it", "bindings/python/ccd/audit",
		"        through[which] = (up & down)[group]\n", "", []string{"audit"}},
	{"an audit: what passes and comes back has passed", "bindings/python/ccd/audit",
		"    state[net != 0] = PASSED\n", "    state[state == RETURNED] = PASSED\n",
		[]string{"audit"}},
	{"an audit: crossings of the later frame are those of the earlier one", "bindings/python/ccd/audit",
		"    if not separate or not scene.carries:\n", "    if not scene.carries:\n", []string{"audit"}},
	{"an audit goes on without the sides that it kept", "bindings/python/ccd/audit",
		"held = Held(_step.Before(carried=carried), start)", "held = Held(_step.Before(), start)",
		[]string{"audit-files"}},
	{"an audit: a part that is absent is taken for another", "bindings/python/ccd/audit",
		"        if self.names != other.names:\n", "        if False:\n", []string{"audit-files"}},
	{"an audit: points at rest beside vectors that change are positions", "bindings/python/ccd/audit",
		"        if changed:\n", "        if False:\n", []string{"audit-files"}},
	{"VTP: marks of ghosts of the first list for all", "core/meshfile",
		"marks, ghosts = ghosts[:l.cells], ghosts[l.cells:]", "marks = ghosts[:l.cells]", []string{"mesh-files"}},
}
