"""Searches and computes; nothing it says is believed until the kernel has checked it."""
