"""Builds the compiled part with CMake; all else is in pyproject.toml (docs/python.md).

It is made in build/wheel. CRX_BUILD_FOLDER names another folder; one that CMake has configured
already is taken as it is, with what is compiled there."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        build = Path(os.environ.get("CRX_BUILD_FOLDER", ROOT / "build" / "wheel")).resolve()
        if build == ROOT / "build" / "wheel" or not (build / "CMakeCache.txt").exists():
            subprocess.check_call(
                [
                    *("cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(build)),
                    *("-DCMAKE_BUILD_TYPE=Release", "-DCRX_JOINED=ON", "-DCRX_CUDA=OFF"),
                    *("-DCRX_WITH_TESTS=OFF", "-DCRX_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"),
                ]
            )
        subprocess.check_call(["cmake", "--build", str(build), "--target", "crx_python"])
        built = build / "python" / "crx" / f"_library{sysconfig.get_config_var('EXT_SUFFIX')}"
        if not built.exists():
            sys.exit(f"{build}: is configured for another Python than {sys.executable}; name another CRX_BUILD_FOLDER")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(target))


version = re.search(r"project\(crx VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
assert version is not None
setup(
    version=version[1],
    ext_modules=[Extension("crx._library", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
