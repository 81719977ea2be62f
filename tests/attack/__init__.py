"""The attack campaign: forged certificates of every kind, and an oracle that knows the truth."""
