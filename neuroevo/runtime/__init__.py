"""What a run works with: its settings, folder, checkpoints, interrupts, tracker."""
