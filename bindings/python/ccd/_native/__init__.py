"""The binding to the C interface: nothing in here is public."""
