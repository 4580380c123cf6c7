"""Results of engineering solvers as frames of an audit: each module reads one format, most through its well-kept library."""
