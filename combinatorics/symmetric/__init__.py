"""Symmetric designs: families, designs stored or searched for, and the design by its parameters.

``registry`` finds the construction for given parameters; ``family`` lists the families, whose
constructions stand in ``hadamard_design``, ``affine``, ``productive`` and ``sporadic``; ``search``
looks for designs with a prescribed group.
"""
