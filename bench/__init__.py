"""The figures that are claimed anywhere, measured. Run by `make bench`."""
