"""Reading and writing of files: nothing in here is public."""
