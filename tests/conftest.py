"""What every test can rely on: no setting of the machine's own, and laws that are never timed."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("lean-memory", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fuzz", settings.get_profile("lean-memory"), max_examples=5000)
settings.register_profile(
    "long", settings.get_profile("lean-memory"), max_examples=int(os.environ.get("EXAMPLES", "2000"))
)
settings.load_profile("lean-memory")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--populate", action="store_true", help="write the golden files anew, for review with git diff")


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_the_machine(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads the user's settings or touches the user's memory."""
    for name in [name for name in os.environ if name.startswith("LM_")]:
        del os.environ[name]
    os.environ["LM_DATA_ROOT"] = str(tmp_path_factory.mktemp("memory"))
    os.environ["NO_COLOR"] = "1"
