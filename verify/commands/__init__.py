"""The commands of ``exactdp``, one module for each; imports wait until a command runs."""
