"""What each command does, once its options are understood; loaded when it is asked for."""
