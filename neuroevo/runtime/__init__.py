"""What a run needs: settings, folder, checkpoints, interrupts, random streams, tracker."""
