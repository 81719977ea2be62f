"""One static HTML page: the claims with methods, counts and counterexamples, and the figures."""

from collections.abc import Sequence
from html import escape

from verify.claims.outcome import CheckResult, ClaimResult
from verify.claims.table import title

__all__ = ["page"]

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #ddd; padding: .35em .6em; text-align: left;
  vertical-align: top }
td.number { text-align: right; white-space: nowrap }
code { overflow-wrap: anywhere }
.ACCEPTED { color: #060 } .REJECTED { color: #a00 } .UNDECIDED { color: #850 }
figure { margin: 1.5em 0 } figure svg { max-width: 100%; height: auto }
"""

_LEGEND = (
    "<p>Symbolic: proved for all parameters. Exhaustive: every instance of the stated size, "
    "counted; <em>instances</em> counts those that the cases stand for by symmetry. "
    "Randomised: drawn instances, evidence only.</p>"
)


def page(results: Sequence[ClaimResult], *, seed: int, figures: bool = True) -> str:
    """The page as text; it needs no network.

    Args:
        results: of the claims or of their false variants.
        seed: of the drawn instances.
        figures: whether the figures are drawn; some seconds.
    """
    topics = list(dict.fromkeys(result.claim.topic for result in results))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        "<title>Claims of exactdp</title>",
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Every claim, checked</h1>",
        f"<p>{escape(title(results, seed=seed))}.</p>",
        _LEGEND,
    ]
    for topic in topics:
        chosen = [result for result in results if result.claim.topic == topic]
        parts += [f"<h2>{escape(topic.capitalize())}</h2>", _table(chosen)]
    if figures:
        parts += ["<h2>Figures</h2>", *_figures()]
    return "\n".join([*parts, "</body></html>", ""])


def _table(results: Sequence[ClaimResult]) -> str:
    head = "<tr><th>Claim</th><th>Method and scope</th><th>Cases</th><th>Instances</th>"
    head += "<th>Verdict</th><th>Seconds</th></tr>"
    return f"<table>{head}{''.join(map(_rows, results))}</table>"


def _rows(result: ClaimResult) -> str:
    claim = result.claim
    statement = claim.mutant if result.is_mutant else claim.statement
    note = "" if result.is_mutant else f"<br><small>must fail: {escape(claim.mutant)}</small>"
    first = (
        f'<td rowspan="{len(result.checks)}" id="{escape(claim.id)}"><code>{escape(claim.id)}'
        f"</code><br>{escape(statement)}<br><small>{escape(claim.source)}</small>{note}</td>"
    )
    cells = [_cells(check) for check in result.checks]
    return "".join(f"<tr>{first if not i else ''}{row}</tr>" for i, row in enumerate(cells))


def _cells(check: CheckResult) -> str:
    found = ""
    if check.failure:
        found = f"<br>{escape(check.failure)}<br><code>{escape(check.counterexample)}</code>"
    verdict = check.status.value
    return (
        f"<td>{check.method.value}: {escape(check.scope)}</td>"
        f'<td class="number">{check.cases}</td><td class="number">{check.instances}</td>'
        f'<td><span class="{verdict}">{verdict}</span>{found}</td>'
        f'<td class="number">{check.seconds:.2f}</td>'
    )


def _figures() -> list[str]:
    from verify.claims.figures import FIGURES, as_svg  # noqa: PLC0415 - drawing is slow to import

    return [
        f"<figure><figcaption>{escape(name)}</figcaption>{as_svg(draw())}</figure>"
        for name, draw in FIGURES.items()
    ]
