"""Version and place of the clone; all else is in pyproject.toml. Nothing is compiled."""

import re
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CLONE = Path(__file__).resolve().parent.parent


class WithPlace(build_py):
    """Notes where the clone is, in whose build folders the package looks for the program."""

    def run(self) -> None:
        super().run()
        if (CLONE / "CMakeLists.txt").exists():
            Path(self.build_lib, "crx", "clone.txt").write_text(f"{CLONE}\n", encoding="utf-8")


source = CLONE / "CMakeLists.txt"
found = re.search(r"project\(crx VERSION ([0-9.]+)", source.read_text("utf-8")) if source.exists() else None
setup(version=found[1] if found else "0", cmdclass={"build_py": WithPlace})
