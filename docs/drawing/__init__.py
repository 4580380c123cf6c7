"""The figures of the pages, one function each; docs/figures.py runs them."""
