"""What a network sees of a position."""
