"""What is concluded from runs: claims, figures, sample games."""
