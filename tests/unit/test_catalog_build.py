"""The catalog: what a build records, what a second build changes, and what comes out of it."""

from dataclasses import replace

import pytest

from combinatorics.catalog import (
    Catalog,
    CatalogError,
    Kind,
    Selection,
    Status,
    build_catalog,
    default_path,
    read_constructed,
)
from combinatorics.catalog import build as build_module
from combinatorics.catalog import records as records_module
from combinatorics.catalog.records import Subject, outlook, records, subjects
from combinatorics.catalog.retrieval import retrieved
from combinatorics.design_existence import existence
from combinatorics.interchange import DevelopedDesign
from combinatorics.symmetric.registry import ConstructedDesign, symmetric_design
from tests.benchmarks.symmetric_designs import reference_rows
from tests.support.catalogs import comparable_rows
from verify.kernel.design import check_design, check_difference_set, check_hadamard
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import BlockDesign

MAX_V = 60


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("catalog") / "small.sqlite"
    report = build_catalog(path, MAX_V)
    assert report.kept == 0
    assert report.refused == ()
    return path


def test_every_triple_of_the_reference_table_is_decided(small):
    with Catalog(small) as catalog:
        found = catalog.entries(Selection(kinds=(Kind.SYMMETRIC,)))
        assert catalog.extent == MAX_V
    expected = {row[:3]: row[3] for row in reference_rows() if row[0] <= MAX_V}
    assert {(e.v, e.k, e.lambda_) for e in found} == expected.keys()
    statuses = {"c": "constructed", "n": "impossible", "x": "impossible"}
    for entry in found:
        letter = expected[entry.v, entry.k, entry.lambda_]
        assert entry.status == statuses.get(letter, "unknown")
        assert (entry.b, entry.r) == (entry.v, entry.k)
        assert entry.reason
        assert bool(entry.construction) == bool(entry.reference) == (letter == "c")
        assert bool(entry.as_of) == (entry.status == "unknown")


def test_derived_and_residual_designs_of_every_symmetric_one(small):
    with Catalog(small) as catalog:
        whole = catalog.entries(Selection(kinds=(Kind.SYMMETRIC,), statuses=(Status.CONSTRUCTED,)))
        derived = catalog.entries(Selection(kinds=(Kind.DERIVED,)))
        residual = catalog.entries(Selection(kinds=(Kind.RESIDUAL,)))
    assert {(e.v, e.b, e.r, e.k, e.lambda_, e.parent) for e in derived} == {
        (e.k, e.v - 1, e.k - 1, e.lambda_, e.lambda_ - 1, e.name) for e in whole if e.lambda_ > 1
    }
    assert {(e.v, e.b, e.r, e.k, e.lambda_, e.parent) for e in residual} == {
        (e.v - e.k, e.v - 1, e.k, e.k - e.lambda_, e.lambda_, e.name) for e in whole
    }
    assert all(e.status == "constructed" for e in (*derived, *residual))


def test_hadamard_orders(small):
    with Catalog(small) as catalog:
        found = catalog.entries(Selection(kinds=(Kind.HADAMARD,)))
    assert [e.v for e in found] == [1, 2, *range(4, MAX_V + 2, 4)]
    assert all(e.status == "constructed" for e in found)


def test_every_object_comes_out_and_is_what_it_is_said_to_be(small):
    with Catalog(small) as catalog:
        found = catalog.entries(Selection(statuses=(Status.CONSTRUCTED,)))
        for entry in found:
            content = retrieved(catalog, entry)
            if entry.kind is Kind.HADAMARD:
                assert content.order == entry.v
                verdict = check_hadamard(content)
            elif entry.kind is Kind.DIFFERENCE_SET:
                verdict = check_difference_set(content.difference_set, entry.lambda_)
                assert len(content.base_blocks[0]) == entry.k
            else:
                design = content.design() if isinstance(content, DevelopedDesign) else content
                assert (design.v, len(design.blocks)) == (entry.v, entry.b)
                verdict = check_design(design, entry.k, entry.lambda_)
            assert verdict.is_accepted, entry
            assert entry.reason == verdict.reason
    assert len(found) > 80


def test_constructed_designs_for_other_programs(small):
    rows = list(read_constructed(small))
    assert (37, 37, 9, 9, 2, "quartic, q = 37") in rows
    assert (9, 36, 8, 2, 1, "derived from quartic, q = 37") in rows
    for v, b, r, k, lambda_, name in rows:
        assert b * k == v * r
        assert lambda_ * (v - 1) == r * (k - 1)
        assert name
    assert len(set(rows)) == len(rows)


def test_a_second_build_changes_nothing_and_a_larger_one_adds(small, tmp_path):
    path = tmp_path / "grown.sqlite"
    build_catalog(path, 20)
    before = comparable_rows(path)
    again = build_catalog(path, 20)
    assert (again.recorded, again.kept) == (0, len(before["entry"]))
    assert comparable_rows(path) == before
    grown = build_catalog(path, MAX_V)
    assert grown.kept == len(before["entry"])
    assert comparable_rows(path) == comparable_rows(small)
    build_catalog(path, 7)
    with Catalog(path) as catalog:
        assert catalog.extent == MAX_V


def test_an_answer_that_the_program_no_longer_gives_is_replaced(small, tmp_path):
    path = tmp_path / "old.sqlite"
    build_catalog(path, MAX_V)
    with Catalog(path, writable=True) as catalog:
        known = catalog.entry(Kind.SYMMETRIC, 37, 9, 2)
        unknown = replace(
            known, status=Status.UNKNOWN, construction="", reference="", digest="", as_of="1900-01"
        )
        other = replace(catalog.entry(Kind.HADAMARD, 12), construction="another recipe")
        for entry in (unknown, other):
            catalog.record(records_module.Record(entry))
        assert catalog.stored("symmetric 37 9 2") is None
    report = build_catalog(path, MAX_V)
    assert report.recorded == 2
    assert comparable_rows(path) == comparable_rows(small)


def test_jobs_give_the_same_rows(small, tmp_path):
    path = tmp_path / "two.sqlite"
    build_catalog(path, MAX_V, jobs=2)
    assert comparable_rows(path) == comparable_rows(small)


def test_progress_counts_the_subjects(tmp_path):
    calls = []
    build_catalog(tmp_path / "c.sqlite", 16, progress=lambda *numbers: calls.append(numbers))
    total = len(list(subjects(16)))
    assert calls == [(done, total) for done in range(1, total + 1)]


@pytest.mark.parametrize("max_v", [0, -3, 8192, 10**30])
def test_max_v_out_of_range(tmp_path, max_v):
    with pytest.raises(InputError, match="from 1 to 8191"):
        build_catalog(tmp_path / "c.sqlite", max_v)
    assert not (tmp_path / "c.sqlite").exists()


def test_no_jobs(tmp_path):
    with pytest.raises(InputError, match="at least one process"):
        build_catalog(tmp_path / "c.sqlite", 7, jobs=0)


def test_what_the_kernel_refuses_is_recorded_as_refused_and_tried_again(tmp_path, monkeypatch):
    def wrong(v, k, lambda_):
        built = symmetric_design(v, k, lambda_)
        blocks = (built.design.blocks[1], *built.design.blocks[1:])
        return ConstructedDesign(BlockDesign(v, blocks), k, lambda_, built.construction)

    path = tmp_path / "c.sqlite"
    monkeypatch.setattr(records_module, "symmetric_design", wrong)
    report = build_catalog(path, 11)
    assert set(report.refused) >= {"symmetric 7 3 1", "symmetric 11 5 2", "residual 6 3 2"}
    with Catalog(path) as catalog:
        entry = catalog.entry(Kind.SYMMETRIC, 7, 3, 1)
        assert entry.status is Status.REFUSED
        assert "on" in entry.reason
        assert catalog.stored(entry.name) is None
        with pytest.raises(InputError, match="refused"):
            retrieved(catalog, entry)
    assert (7, 3, 1) not in {(v, k, lambda_) for v, _, _, k, lambda_, _ in read_constructed(path)}
    monkeypatch.undo()
    assert build_catalog(path, 11).recorded == len(report.refused)
    build_catalog(tmp_path / "good.sqlite", 11)
    assert comparable_rows(path) == comparable_rows(tmp_path / "good.sqlite")


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("symmetric_design", Subject(Kind.SYMMETRIC, 7, 3, 1)),
        ("constructed_difference_set", Subject(Kind.DIFFERENCE_SET, 7, 3, 1)),
        ("hadamard_matrix", Subject(Kind.HADAMARD, 8)),
    ],
)
def test_an_object_of_other_parameters_is_refused(monkeypatch, name, subject):
    original = getattr(records_module, name)
    other = (11, 5, 2) if subject.k else (4,)
    monkeypatch.setattr(records_module, name, lambda *_: original(*other))
    assert records(subject)[0].entry.status is Status.REFUSED


def test_what_is_over_a_limit_is_constructible(monkeypatch):
    def too_large(*_):
        raise LimitError("over the limit")

    monkeypatch.setattr(records_module, "symmetric_design", too_large)
    group = [record.entry for record in records(Subject(Kind.SYMMETRIC, 37, 9, 2))]
    assert [entry.status for entry in group] == [Status.CONSTRUCTIBLE] * 3
    assert all("over the limit" in entry.reason for entry in group)
    expected = outlook(Subject(Kind.SYMMETRIC, 37, 9, 2))
    assert all(map(type(group[0]).answers_alike, group, expected))


def test_a_worker_of_another_version_is_noticed(tmp_path, monkeypatch):
    def changed(subject):
        return tuple(
            replace(record, entry=replace(record.entry, construction="another recipe"))
            for record in records(subject)
        )

    monkeypatch.setattr(build_module, "records", changed)
    with pytest.raises(CatalogError, match="same version"):
        build_catalog(tmp_path / "c.sqlite", 7)


def test_records_have_the_entries_of_the_outlook():
    for subject in subjects(30):
        group = [record.entry for record in records(subject)]
        assert all(a.answers_alike(b) for a, b in zip(group, outlook(subject), strict=True))


def test_subjects_are_all_admissible_triples():
    found = {(s.v, s.k, s.lambda_) for s in subjects(200) if s.kind is Kind.SYMMETRIC}
    expected = {
        (v, k, lambda_)
        for v in range(2, 201)
        for k in range(3, v // 2 + 1)
        for lambda_ in [k * (k - 1) // (v - 1)]
        if lambda_ * (v - 1) == k * (k - 1)
    }
    assert found == expected


@pytest.mark.parametrize(
    ("conditions", "test"),
    [
        ({"kinds": (Kind.DERIVED, Kind.RESIDUAL)}, lambda e: e.kind in {"derived", "residual"}),
        ({"statuses": (Status.IMPOSSIBLE,)}, lambda e: e.status == "impossible"),
        ({"min_v": 20, "max_v": 40}, lambda e: 20 <= e.v <= 40),
        ({"v": 13}, lambda e: e.v == 13),
        ({"k": 9, "lambda_": 2}, lambda e: (e.k, e.lambda_) == (9, 2)),
        ({"construction": "PALEY"}, lambda e: "paley" in e.construction.lower()),
        ({"construction": "%"}, lambda e: "%" in e.construction),
        ({"construction": "' OR 1 --"}, lambda e: False),
    ],
)
def test_selections(small, conditions, test):
    with Catalog(small) as catalog:
        everything = catalog.entries()
        found = catalog.entries(Selection(**conditions))
    assert found == tuple(filter(test, everything))
    assert found or "construction" in conditions


def test_the_default_place(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "exactdp" / "catalog.sqlite"
    for unusable in ("", "relative/folder"):
        monkeypatch.setenv("XDG_DATA_HOME", unusable)
        assert default_path().is_absolute()
        assert "relative" not in default_path().parts


def test_unknown_is_not_impossible(tmp_path):
    with Catalog(tmp_path / "c.sqlite", writable=True) as catalog:
        for triple in ((157, 13, 1), (71, 21, 6), (111, 11, 1)):
            for record in records(Subject(Kind.SYMMETRIC, *triple)):
                catalog.record(record)
        entries = {(e.v, e.k): e for e in catalog.entries()}
    assert entries[157, 13].status is Status.UNKNOWN
    assert entries[157, 13].as_of == existence(157, 13, 1).as_of
    assert not entries[157, 13].in_literature
    assert entries[71, 21].status is Status.UNKNOWN
    assert entries[71, 21].in_literature
    assert entries[111, 11].status is Status.IMPOSSIBLE
    assert "Lam" in entries[111, 11].reason
