"""Reads what a user gives, exactly: each number is the rational that its text denotes.

``source`` finds the bytes, ``exact_json`` and ``table`` read them as JSON and CSV, ``array`` as a
NumPy file, ``distributions`` and ``channels`` make the objects, ``rounding`` the nearest exact
channel. Every refusal is an ``InputError`` of one line that names the place and the mend.
"""
