"""Decides claims about privacy mechanisms; trusts nothing that it has not checked."""
