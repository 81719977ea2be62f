"""Quadruples of sign functions, at every character, and the eigenvectors that they are made of."""

import numpy as np
import pytest

from combinatorics.difference_sets.orthogonal_quadruple import (
    _eigenvectors,
    _slope_quadruple,
    orthogonal_quadruple,
)
from combinatorics.finite_field import FiniteField


@pytest.mark.parametrize("q", [1, 3, 9, 25, 27, 49, 75, 169])
def test_orthogonal_quadruples(q):
    quadruple = orthogonal_quadruple(q)
    signs = quadruple.signs
    assert (np.abs(signs) == 1).all()
    assert (signs.sum(axis=1) == q).all()
    axes = range(1, len(quadruple.orders) + 1)
    spectra = np.abs(np.fft.fftn(signs.reshape(4, *quadruple.orders), axes=axes)).reshape(4, -1)
    rounded = np.rint(spectra).astype(int)
    assert np.allclose(spectra, rounded)
    assert (np.sort(rounded[:, 1:], axis=0) == np.array([[0], [0], [0], [2 * q]])).all()


def test_the_quadruple_of_slopes_in_characteristic_3_is_orthogonal_too():
    signs = _slope_quadruple(3)
    spectra = np.abs(np.fft.fftn(signs.reshape(4, 3, 3, 3, 3), axes=(1, 2, 3, 4))).reshape(4, -1)
    assert np.allclose(np.sort(spectra[:, 1:], axis=0), np.array([[0], [0], [0], [18]]))


@pytest.mark.parametrize("p", [3, 5, 7, 11, 13, 17])
def test_eigenvectors_of_the_conference_matrix_on_slopes(p):
    field = FiniteField(p * p)
    z = field.elements()
    conference = np.pad(field.quadratic_character(field.sub(z[:, None], z[None, :])), (0, 1))
    conference[-1, :-1] = conference[:-1, -1] = 1
    plus, minus = _eigenvectors(p)
    assert (conference @ plus == p * plus).all()
    assert (conference @ minus == -p * minus).all()
