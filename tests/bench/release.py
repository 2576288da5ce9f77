"""Makes what a release is handed out with, in `dist`: `python tests/bench/release.py [EXTRA ...] [--dist DIR]`.

The wheel and the source archive, looked over by twine; and a bill of materials (CycloneDX, JSON) of an environment in
which the wheel is installed, with the extras that are named. The tools are installed in an environment of their own, in
the versions below. Says what is in the bill and ends with 1 where a package, a version or a licence is not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from packaging.utils import canonicalize_name  # noqa: E402

from docs.licences import PROJECT, closure, installed, licence  # noqa: E402

TOOLS = ("cyclonedx-bom==7.5.0", "twine==7.0.0")  # both Apache-2.0
VALID = """
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
text = open(sys.argv[1], encoding="utf-8").read()
if error := JsonStrictValidator(SchemaVersion.from_version(json.loads(text)["specVersion"])).validate_str(text):
    sys.exit(str(error))
"""
"""For the tools' Python: ends with 1 if the bill breaks the schema."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("extras", nargs="*", metavar="EXTRA")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tools = environment(Path(folder) / "tools", *TOOLS)
        built = archives(arguments.dist.resolve())
        run(tools / "bin" / "twine", "check", "--strict", *built)
        print(f"{' and '.join(path.name for path in built)}: sound, as twine sees it")
        wheel = next(path for path in built if path.suffix == ".whl")
        extras = f"[{','.join(arguments.extras)}]" if arguments.extras else ""
        home = environment(Path(folder) / "installed", f"{wheel}{extras}")
        run(home / "bin" / "python", "-m", "pip", "uninstall", "-q", "-y", "setuptools", "pip")
        bill = arguments.dist / f"{wheel.name.split('-py3')[0]}.cdx.json"
        run(
            tools / "bin" / "cyclonedx-py", "environment", home / "bin" / "python", "--mc-type", "library",
            "--short-PURLs", "--output-reproducible", "--validate", "-o", bill,
        )  # fmt: skip
        with_licences(bill, home)
        run(tools / "bin" / "python", "-c", VALID, bill)
        return look_over(bill, home, arguments.extras)


def environment(home: Path, *packages: str) -> Path:
    venv.create(home, with_pip=True)
    run(home / "bin" / "python", "-m", "pip", "install", "-q", *packages)
    return home


def archives(dist: Path) -> list[Path]:
    """Built anew."""
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
        dist.mkdir(exist_ok=True)
        return [path.replace(dist / path.name) for path in sorted(Path(folder).iterdir())]


def with_licences(bill: Path, home: Path) -> None:
    """Adds those that the tool does not find, as metadata say them in words of their own."""
    [site] = home.glob("lib/python*/site-packages")
    here = installed(site)
    content = json.loads(bill.read_bytes())
    for part in content["components"]:
        if not part.get("licenses") and (found := licence(here[canonicalize_name(part["name"])])):
            part["licenses"] = [{"expression": found}]
    bill.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def look_over(bill: Path, home: Path, extras: list[str]) -> int:
    """Says what the bill has, and what it lacks."""
    held: list[dict[str, Any]] = json.loads(bill.read_bytes())["components"]
    [site] = home.glob("lib/python*/site-packages")
    names = {name for extra in ("", *extras) for name in (each.name for each in closure(PROJECT, extra, site))}
    versions = {name: installed(site)[name].version for name in names | {PROJECT}}
    listed = {canonicalize_name(part["name"]): part for part in held}
    wrong = [f"{name} is not in it" for name in versions.keys() - listed.keys()]
    wrong += [f"{name} is in it and belongs to nothing" for name in listed.keys() - versions.keys()]
    wrong += [
        f"{name} is in it as {listed[name]['version']} and not as {version}"
        for name, version in versions.items()
        if name in listed and listed[name]["version"] != version
    ]
    wrong += [f"{name} has no licence in it" for name, part in listed.items() if not part.get("licenses")]
    for line in sorted(wrong):
        print(f"{bill.name}: {line}")
    print(f"{bill.name}: {len(held)} components, valid")
    return int(bool(wrong))


def run(*line: str | Path, cwd: Path | None = None) -> None:
    done = subprocess.run([str(word) for word in line], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, line))}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
