"""Other libraries' interfaces over this one: the import changes, the script does not."""
