"""Symmetric designs."""
