"""Searches for and computes mechanisms; nothing it says is believed until the kernel has checked it."""
