"""The benchmark harness: our methods beside the field's, on the same data, in the same run.

run.py decides what to measure; every other module measures or grades one thing and gives plain rows, which report.py and
plots.py turn into Markdown and SVG. Peers are adapters in peers.py. Only ratios within one run mean anything: the machine is
shared and its clock is not.
"""
