"""One thin module per command: flags in, records out."""
