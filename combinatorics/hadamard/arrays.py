"""Arrays: how four or eight circulants (or group matrices) are put together.

X' is the transpose and R the permutation y -> -y of the group, so that X R has entry
X[x, -y] at place (x, y).
"""

import numpy as np

from combinatorics.hadamard.sign_matrix import SignMatrix, circulant, group_matrix, negation

__all__ = ["eight_circulant_array", "goethals_seidel_array", "williamson_array"]


def williamson_array(rows: SignMatrix) -> SignMatrix:
    """Williamson's array of four symmetric circulants, order 4m.

    Args:
        rows: first rows, shape (4, m); Hadamard when A² + B² + C² + D² = 4mI.

    Reference: Williamson, Duke Mathematical Journal 11 (1944).
    """
    a, b, c, d = (circulant(row) for row in rows)
    return np.block([[a, b, c, d], [-b, a, -d, c], [-c, d, a, -b], [-d, -c, b, a]])


def goethals_seidel_array(rows: SignMatrix, moduli: tuple[int, ...]) -> SignMatrix:
    """The Goethals-Seidel array of four group matrices, order 4v.

    Args:
        rows: four functions on the product of cyclic groups of these moduli, shape (4, v);
            Hadamard when the sum of the four M M' is 4vI.
        moduli: of the group, elements numbered lexicographically.

    Reference: Goethals and Seidel, Journal of the Australian Mathematical Society 11 (1970).
    """
    reverse = negation(moduli)
    a, *others = (group_matrix(row, moduli) for row in rows)
    b, c, d = (matrix[:, reverse] for matrix in others)
    bt, ct, dt = (matrix.T[:, reverse] for matrix in others)
    return np.block([[a, b, c, d], [-b, a, dt, -ct], [-c, -dt, a, bt], [-d, ct, -bt, a]])


_EIGHT = (
    "+1 +2 +4R +3R +6R +5R +8R +7R",
    "-2 +1 +3R -4R +5R -6R +7R -8R",
    "-4R -3R +1 +2 -8T +7T +6T -5T",
    "-3R +4R -2 +1 +7T +8T -5T -6T",
    "-6R -5R +8T -7T +1 +2 -4T +3T",
    "-5R +6R -7T -8T -2 +1 +3T +4T",
    "-8R -7R -6T +5T +4T -3T +1 +2",
    "-7R +8R +5T +6T -3T -4T -2 +1",
)
"""Sign and number of each block; R is followed by the permutation R, T transposed before it."""


def eight_circulant_array(rows: SignMatrix) -> SignMatrix:
    """Kharaghani's array of eight circulants, order 8m.

    Args:
        rows: first rows, shape (8, m); Hadamard when the sum of the A_i A_i' is 8mI and that of
            the A_(2i-1) A_(2i)' - A_(2i) A_(2i-1)' is 0.

    Reference: Kharaghani, Journal of Combinatorial Designs 8 (2000).
    """
    matrices = [circulant(row) for row in rows]
    reverse = negation((rows.shape[1],))

    def block(text: str) -> SignMatrix:
        matrix = matrices[int(text[1]) - 1]
        if text.endswith("T"):
            matrix = matrix.T
        if len(text) == 3:
            matrix = matrix[:, reverse]
        return matrix if text[0] == "+" else -matrix

    return np.block([[block(text) for text in line.split()] for line in _EIGHT])
