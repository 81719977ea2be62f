"""Certificates of a given size that make each check work as hard as its limits let it.

Every generator takes the number of bytes that the file may have. Nothing here need be true.
"""

from tests.attack.hostile import channels, couplings, designs, problems, texts
from tests.attack.hostile.registry import HOSTILE

__all__ = ["HOSTILE", "channels", "couplings", "designs", "problems", "texts"]
