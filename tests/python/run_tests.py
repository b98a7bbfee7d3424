"""run_tests.py NAME: one test of the package, for ctest. Ends with 77 and a reason where a
package of Python's that it needs is missing.

    pytest FILE   the tests of a file
    doctest       the examples in docstrings
    mypy          the types of the package and of its use
    notebook      every notebook of docs/notebooks, to its end
    install       pip install of the package in an environment of its own
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["CRX_SOURCE_DIR"])
HERE = Path(__file__).parent


def need(*modules):
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        print("skipped: this Python has no", ", ".join(missing), "(scripts/packages.sh installs it)")
        sys.exit(77)


def run_pytest(file):
    need("numpy", "pandas", "matplotlib", "jinja2", "pytest")
    import pytest

    return pytest.main(["-q", "-p", "no:cacheprovider", str(HERE / file)])


def run_doctest():
    need("numpy", "pandas", "matplotlib", "jinja2")
    import doctest

    failed = tested = 0
    import crx

    for file in sorted(Path(crx.__file__).parent.glob("*.py")):
        name = "crx" if file.stem == "__init__" else f"crx.{file.stem}"
        module = importlib.import_module(name)
        result = doctest.testmod(module)
        failed, tested = failed + result.failed, tested + result.attempted
    page = doctest.testfile(str(SOURCE / "docs/python.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    print(f"{tested} examples of docstrings, {page.attempted} of docs/python.md")
    assert tested > 20 and page.attempted > 10
    return failed + page.failed


def run_mypy():
    need("numpy", "mypy")
    import crx

    package = Path(crx.__file__).parent
    options = ["--strict", "--no-error-summary", "--cache-dir", os.environ.get("CRX_MYPY_CACHE", os.devnull)]
    command = [sys.executable, "-m", "mypy", *options, "--config-file", str(SOURCE / "python/pyproject.toml")]
    done = subprocess.run([*command, str(package), str(HERE / "typed_use.py")], check=False)
    if done.returncode != 0:
        return done.returncode
    # A planted fault is seen: a length that is a text.
    wrong = subprocess.run(
        [*command, "-c", "import crx\ncrx.simulate('mc-sf', 0, [1], '9')\n"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert 'incompatible type "str"; expected "int"' in wrong.stdout, wrong.stdout
    return 0


def run_notebook():
    need("numpy", "pandas", "matplotlib", "nbclient", "nbformat", "ipykernel")
    import nbclient
    import nbformat

    files = sorted((SOURCE / "docs/notebooks").glob("*.ipynb"))
    assert files
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        stored = [cell for cell in notebook.cells if cell.get("outputs")]
        assert not stored, f"{file} has stored outputs, which go stale: clear them"
        folder = Path(os.environ.get("CRX_NOTEBOOK_OUT", "."))
        folder.mkdir(parents=True, exist_ok=True)
        # The kernel of this Python, whatever is installed elsewhere.
        client = nbclient.NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )
        client.execute()
        nbformat.write(notebook, folder / file.name)
        print(f"{file.name}: {len(notebook.cells)} cells")
    return 0


USE = """
import crx, sys
assert crx.__file__.startswith(sys.prefix), crx.__file__
assert crx.simulate("mc-sf", 0, [2, 3], 3).total_latency == 6
experiment = {
    "experiment": {"name": "installed", "seed": 1},
    "stop": {"instances": 3},
    "workload": {"requests": 20, "memory": 40, "prompt": 2, "output": {"law": "uniform", "lower": 1, "upper": 9}},
    "policy": [{"id": "mc-sf"}],
    "sweep": [{"name": "all", "axes": {"memory": [40, 80]}}],
    "panel": [{"sweep": "all", "x": "memory"}],
}
done = crx.sweep(experiment, progress=False)
assert (done.cells, done.instances) == (2, 6), done
assert crx.read(done).instances.unique().tolist() == [3]
crx.plot(done).savefig("a.svg")
crx.report(done, "a.html")
print("crx", crx.__version__, "of", crx.__file__)
"""


def run_install():
    need("numpy", "pandas", "matplotlib", "jinja2", "pip", "setuptools", "wheel", "venv", "ensurepip")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Packing leaves files beside the sources, so it gets a copy.
        shutil.copytree(SOURCE / "python", folder / "python", ignore=shutil.ignore_patterns("build", "*.egg-info"))
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        # With the packages of this Python (NumPy), and without network.
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder / "venv"], check=True)
        python = folder / "venv" / "bin" / "python"
        options = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check"]
        subprocess.run([python, "-m", "pip", "install", *options, folder / "python"], env=environment, check=True)
        subprocess.run([python, "-c", USE], env=environment, cwd=folder, check=True)
        plot = folder / "venv" / "bin" / "crx-plot"
        subprocess.run([plot, folder / "installed.db", "-o", folder / "b.pdf"], env=environment, check=True)
    return 0


if __name__ == "__main__":
    kind = sys.argv[1]
    if kind == "pytest":
        sys.exit(run_pytest(sys.argv[2]))
    kinds = {"doctest": run_doctest, "mypy": run_mypy, "notebook": run_notebook, "install": run_install}
    sys.exit(kinds[kind]())
