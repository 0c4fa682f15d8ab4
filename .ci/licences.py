"""Collects the licence texts of all packages in the binary: `licences.py TARGET OUT`.

Several dependencies require their notice, and the font its licence, to accompany a binary. One folder
per package is written, with every file of the package whose name looks like a licence.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

LICENCE_FILE = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense|ofl|ufl)|licen[cs]e\.txt$", re.IGNORECASE)


def packages_of_binary(target: str) -> list[dict]:
    """The normal dependencies of `raceline-cli` on `target`; those of builds and tests are left out."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    members = set(metadata["workspace_members"])
    root = next(member for member in members if packages[member]["name"] == "raceline-cli")
    found, open_ids = set(), [root]
    while open_ids:
        current = open_ids.pop()
        if current in found:
            continue
        found.add(current)
        for dependency in nodes[current]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                open_ids.append(dependency["pkg"])
    return sorted((packages[i] for i in found - members), key=lambda package: (package["name"], package["version"]))


def main() -> None:
    target, out = sys.argv[1], pathlib.Path(sys.argv[2])
    index = []
    for package in packages_of_binary(target):
        folder = pathlib.Path(package["manifest_path"]).parent
        texts = [file for file in sorted(folder.rglob("*")) if file.is_file() and LICENCE_FILE.search(file.name)]
        texts = [file for file in texts if file.suffix not in {".rs", ".toml"}]
        index.append(f"{package['name']} {package['version']}: {package['license']}")
        for file in texts:
            name = "-".join(file.relative_to(folder).parts)
            copy = out / f"{package['name']}-{package['version']}" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    out.mkdir(parents=True, exist_ok=True)
    (out / "PACKAGES.txt").write_text("\n".join(index) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
