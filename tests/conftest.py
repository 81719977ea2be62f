"""Hypothesis profiles: ``dev`` explores anew at each run, ``ci`` repeats the same examples."""

import os

from hypothesis import HealthCheck, settings

_CALM = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("dev", deadline=None, max_examples=60, suppress_health_check=_CALM)
settings.register_profile(
    "ci",
    deadline=None,
    max_examples=60,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=_CALM,
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
