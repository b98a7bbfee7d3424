"""The figures of the package: matplotlib's, which save the same bytes each time."""

from __future__ import annotations

import io
import os
from functools import lru_cache
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure as _Figure

from ._program import InputError


@lru_cache(8)
def _measure(dpi: float, fonts: str) -> Any:
    """Measures texts. matplotlib keeps the formulas that it has parsed by renderer."""
    return RendererAgg(16, 16, dpi)


class Figure(_Figure):  # type: ignore[misc]
    """A matplotlib Figure that can be saved without pyplot, with the same bytes for the same figure:
    no dates, and names in SVG that depend on the content alone."""

    def __init__(self, *args: Any, **keys: Any) -> None:
        super().__init__(*args, **keys)
        wanted = ("svg.fonttype", "savefig.dpi", "font.family", "font.sans-serif", "mathtext.fontset")
        kept = {key: mpl.rcParams[key] for key in mpl.rcParams if key in wanted or key.startswith("mathtext.")}
        self._crx_params = {**kept, "svg.hashsalt": "crx", "pdf.fonttype": 42, "ps.fonttype": 42}
        self.crx_measure = _measure(self.dpi, repr(kept))

    def savefig(self, fname: Any, **keys: Any) -> None:
        """As matplotlib's, for svg, pdf, png, eps, pgf and its other formats."""
        format = str(keys.get("format") or os.path.splitext(str(fname))[1][1:] or "png").lower()
        dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
        if format in dates:
            keys["metadata"] = {**dates[format], **(keys.get("metadata") or {})}
        if format == "pgf":
            keys.setdefault("backend", "pgf")
        before = os.environ.get("SOURCE_DATE_EPOCH")
        os.environ["SOURCE_DATE_EPOCH"] = before or "0"
        try:
            with mpl.rc_context(self._crx_params):
                super().savefig(fname, **keys)
        except (OSError, RuntimeError, AttributeError) as error:  # the last is how matplotlib 3.6 fails
            if format != "pgf":
                raise
            raise InputError(f"pgf needs TeX, and here there is none that works (Debian: texlive-xetex); .pdf needs none\n  {error}") from None
        finally:
            if before is None:
                del os.environ["SOURCE_DATE_EPOCH"]

    def _repr_png_(self) -> bytes:
        return picture(self, "png", dpi=144)


def picture(figure: _Figure, format: str, **keys: Any) -> bytes:
    """The bytes of a figure in a format."""
    stream = io.BytesIO()
    if format == "pgf":
        text = io.StringIO()
        figure.savefig(text, format="pgf", **keys)
        return text.getvalue().encode()
    figure.savefig(stream, format=format, **keys)
    return stream.getvalue()
