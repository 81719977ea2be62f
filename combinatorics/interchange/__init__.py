"""Designs in files: JSON, CSV, NumPy and DTRS XML; SageMath, GAP and Magma as output."""

from combinatorics.interchange.document import Content, DesignDocument, DevelopedDesign
from combinatorics.interchange.file import FORMATS, parse_design, written

__all__ = [
    "FORMATS",
    "Content",
    "DesignDocument",
    "DevelopedDesign",
    "parse_design",
    "written",
]
