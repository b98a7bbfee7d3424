"""Figures are functions of a document: what they show, say and leave out."""

import io
import os
import re

import matplotlib as mpl
import numpy as np
import pytest
import crx
from crx._plot import length
from crx._style import COLOURS, POLICIES, policy_looks
from crx._text import as_html, as_plain

from a_document import POLICIES as LISTED, curve, document, panel, series


def saved(figure, format="svg", **keys):
    stream = io.BytesIO()
    figure.savefig(stream, format=format, **keys)
    return stream.getvalue()


@pytest.mark.parametrize("format", ["svg", "pdf", "png", "eps"])
def test_the_same_document_gives_the_same_bytes(format):
    figure = crx.plot(document())
    first = saved(figure, format)
    assert len(first) > 5000
    assert saved(figure, format) == first
    assert saved(crx.plot(document()), format) == first


def test_all_lines_of_the_document_are_in_the_figure():
    figure = crx.plot(document())
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["(a) Policies that plan with u", "(b) By load"]
    keys = [[text.get_text() for text in axes.get_legend().get_texts()] for axes in figure.axes]
    assert keys[0] == [r"$A_{\mathrm{max}}$", "mine", r"$A_{\mathrm{max}}$ bound, Thm 3.3"]
    assert keys[1][0] == r"$A_{\mathrm{min}}$, load = 30, exponent -0.90 ± 0.02"
    said = " ".join(text.get_text() for text in figure.texts).replace("\n", " ")
    assert "Made up <b>" in said and "95 % confidence intervals" in said
    assert figure.axes[0].get_xscale() == "log"


def test_nothing_is_cut_off():
    for options in ({}, {"width": 3.35}, {"style": "slides"}, {"legend": "right"}, {"width": "85mm", "font_size": 7}, {"title": "Mine", "panel": 1}):
        figure = crx.plot(document(), **options)
        width, height = figure.get_size_inches() * figure.dpi
        with mpl.rc_context(figure._crx_params):
            for axes in figure.axes:
                axes.get_tightbbox(figure.crx_measure)  # puts labels where they are drawn
                for part in (axes.xaxis.label, axes.yaxis.label, axes.get_legend(), axes.title):
                    box = part.get_window_extent(figure.crx_measure)
                    assert box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1, (options, part)


@pytest.mark.parametrize("letters", range(6, 48, 6))
@pytest.mark.parametrize("count", (2, 3))
def test_the_key_of_a_column_is_within_it(count, letters):
    long = [curve(f"x{k}", f"{k} " + "bound " * (letters // 6), "upper", lambda x: 1 + x) for k in range(count)]
    points = [series(LISTED[k], lambda x, k=k: 1 + x + k) for k in (0, 1)]
    drawn = panel(1, "", points, long)
    figure = crx.plot({**document(), "panels": [drawn]}, width=3.35, font_size=8, title=False, caption=False)
    with mpl.rc_context(figure._crx_params):
        box = figure.axes[0].get_legend().get_window_extent(figure.crx_measure)
    assert box.x0 >= -1 and box.x1 <= figure.get_size_inches()[0] * figure.dpi + 1


def test_a_key_at_the_right_leaves_room_for_the_axes():
    long = series(LISTED[1], lambda x: 1 + x, label="A policy, a theorem, in the limit of large n and M")
    figure = crx.plot(document(panels=[panel(1, "", [long])]), style="slides", legend="right")
    assert figure.axes[0].get_position().width > 0.35


def test_size_of_a_column():
    figure = crx.plot(document(), panel=None, width="3.35in", height="4in", title=False, caption=False)
    assert figure.get_size_inches().tolist() == [3.35, 4.0]
    assert b'width="241.2pt"' in saved(figure)
    assert [length("--width", text) for text in ("85mm", "8.5cm", "72.27pt")] == pytest.approx([3.3465, 3.3465, 1], rel=1e-4)
    with pytest.raises(crx.ConfigError, match="3.35in, 8.5cm"):
        crx.plot(document(), width="wide")
    with pytest.raises(crx.ConfigError, match="too small"):
        crx.plot(document(), width=2, height=1)


def test_intervals_are_bars_or_bands_that_are_seen():
    one = document(panels=document()["panels"][:1])
    bars = crx.plot(one, intervals="bars")
    marker = max(line.get_markersize() for line in bars.axes[0].lines if line.get_marker() in "so")
    caps = [line for line in bars.axes[0].lines if line.get_marker() == "_"]
    assert caps and all(cap.get_markersize() > marker for cap in caps)  # wider than the symbols
    assert all(cap.get_zorder() > 4 for cap in caps)
    bands = crx.plot(one, intervals="bands")
    assert len(bands.axes[0].collections) == 2
    assert "Bands: 95 %" in " ".join(text.get_text() for text in bands.texts)


def test_coincident_series_stand_side_by_side_and_say_so(capsys):
    same = [series(LISTED[1], lambda x: 1 + x), series(LISTED[2], lambda x: 1 + x)]
    figure = crx.plot(document(panels=[panel(1, "Same", same)]))
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels[1] == r"$A_{\mathrm{min}}$ (evict), coincides with $A_{\mathrm{min}}$"
    symbols = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    at = [line.get_transform().transform((0.1, 1.1))[0] for line in symbols]
    assert at[1] - at[0] > 1
    assert "side by side" in capsys.readouterr().err


def test_points_that_the_axis_cannot_show_are_said(capsys):
    zero = series(LISTED[1], lambda x: 0 if x < 0.03 else x, half_width=0)
    figure = crx.plot(document(panels=[panel(1, "Zero", [zero])]))
    said = " ".join(text.get_text() for text in figure.texts).replace("\n", " ")
    assert "1 point at or below 0, which the logarithmic axis cannot show" in said
    assert "A_min: 1 point at or below 0" in capsys.readouterr().err
    limited = panel(1, "Cut", [series(LISTED[1], lambda x: 1 + x)])
    limited["y_axis"] = {**limited["y_axis"], "scale": "linear", "high": 1.5}
    crx.plot(document(panels=[limited]))
    assert "beyond the ends of the axes" in capsys.readouterr().err
    linear = panel(1, "Both signs", [zero])
    linear["y_axis"] = {**linear["y_axis"], "scale": "symlog"}
    assert crx.plot(document(panels=[linear])).axes[0].get_yscale() == "symlog"


def test_a_far_curve_is_cut_off_and_no_point_is():
    far = curve("far", "far", "upper", lambda x: 1e6)
    figure = crx.plot(document(panels=[panel(1, "Far", [series(LISTED[1], lambda x: 1 + x)], [far])]))
    low, high = figure.axes[0].get_ylim()
    assert low < 1 and 2 < high < 100


def test_a_panel_over_two_axes_is_a_map():
    two = document()["panels"][1]
    two["series"] = [{**s, "label": f"{s['label']}, load = {s['series_value']}"} for s in two["series"]]
    figure = crx.plot(document(panels=[two]), kind="heatmap")
    assert "load" not in figure.axes[0].get_title("left").split(":")[1]
    image = figure.axes[0].images[0].get_array()
    assert image.shape == (2, 8)
    assert image[1, 7] == pytest.approx(2) and image[0, 0] == pytest.approx(1)
    with pytest.raises(crx.InputError, match="heatmap"):
        crx.plot(document(panels=document()["panels"][:1]), kind="heatmap")


def test_a_policy_looks_the_same_everywhere():
    alone, among = policy_looks(LISTED[1:2]), policy_looks(LISTED)
    assert alone["a-min"] == among["a-min"]
    assert among["a-min"].colour == COLOURS[POLICIES["a-min"][1]]
    assert len({(look.colour, look.marker, look.is_open) for look in among.values()}) == len(among)
    many = policy_looks([{"label": str(k), "id": "own-order"} for k in range(20)])
    assert len({look.colour for look in many.values()}) >= 15


def test_styles_are_files_and_nothing_of_the_callers_changes(tmp_path):
    before = dict(mpl.rcParams)
    paper, slides = crx.plot(document()), crx.plot(document(), style="slides")
    sizes = [figure.axes[0].xaxis.label.get_size() for figure in (paper, slides)]
    assert sizes == [8, 16]
    own = tmp_path / "own.mplstyle"
    own.write_text("font.size: 11\nfont.sans-serif: DejaVu Sans\n")
    assert crx.plot(document(), style=own).axes[0].xaxis.label.get_size() == 11
    assert crx.plot(document(), style={"axes.grid": False}, font_size=9).axes[0].xaxis.label.get_size() == 9
    with pytest.raises(crx.ConfigError, match="paper, slides or a file"):
        crx.plot(document(), style="poster")
    assert dict(mpl.rcParams) == before


def test_a_figure_can_be_restyled():
    figure = crx.plot(document())
    assert [text.get_text() for text in crx.plot(document(), title="Mine").texts][0] == "Mine"
    figure.axes[0].lines[0].set_color("red")
    figure.set_size_inches(5, 4)
    assert b"<svg" in saved(figure)
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_panel_that_cannot_be_drawn(capsys):
    broken = {"number": 3, "panel": "x", "title": "x", "error": "curve chen-9 is not there"}
    crx.plot(document(panels=[*document()["panels"], broken]))
    assert "Panel 3 is not drawn: curve chen-9 is not there" in capsys.readouterr().err
    with pytest.raises(crx.InputError, match="chen-9"):
        crx.plot(document(panels=[broken]))


@pytest.mark.parametrize("name, value", [("legend", "above"), ("intervals", "both"), ("kind", "pie")])
def test_looks_that_are_not_there(name, value):
    with pytest.raises(crx.ConfigError, match=f"{name} = {value}\n  not accepted: must be one of"):
        crx.plot(document(), **{name: value})


def test_labels_in_html_and_on_a_terminal():
    label = r"$\mathrm{max}_{share}$ E[TEL] < $A_{\mathrm{min}}$, $1.1\cdot 10^{8}$, \$ 5"
    assert as_html(label) == "max<sub><i>share</i></sub> E[TEL] &lt; <i>A</i><sub>min</sub>, 1.1·10<sup>8</sup>, $ 5"
    assert as_plain(r"$\alpha = \ell/u$") == "α = ℓ/u"


def test_pgf_says_that_it_needs_tex(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(crx.InputError, match="TeX"):
        crx.plot(document()).savefig(tmp_path / "a.pgf")


def test_one_measure_against_another():
    made = panel(1, "", [series(LISTED[1], lambda x: 1 + x, half_width=0.1)], kind="frontier")
    for p in made["series"][0]["points"]:
        p.update(x=10 * p["y"], x_low=9 * p["y"], x_high=11 * p["y"])
    made["x_axis"] = {**made["x_axis"], "label": "throughput"}
    axes = crx.plot(document(panels=[made]), intervals="bars").axes[0]
    (line,) = [one for one in axes.lines if one.get_marker() == "o"]
    assert line.get_xdata() == pytest.approx(10 * np.array(line.get_ydata()))
    assert axes.get_xlabel() == "throughput"
    (bars,) = axes.containers
    assert bars.has_xerr and bars.has_yerr


def distribution(kind, xs, ys, **more):
    one = series(LISTED[1], lambda x: x)
    one["points"] = [{**one["points"][0], "x": x, "y": y, "low": 0.5 * y, "high": 1.5 * y} for x, y in zip(xs, ys)]
    linear = {"scale": "linear", "label": "", "low": None, "high": None}
    return panel(1, "", [one], kind=kind, x_axis=linear, y_axis=linear, **more)


def test_a_histogram_has_steps_as_wide_as_its_bins():
    axes = crx.plot(document(panels=[distribution("histogram", [1.1, 1.3, 1.5], [0.5, 0.2, 0.3], bin_width=0.2)])).axes[0]
    (line,) = axes.lines
    assert line.get_drawstyle() == "steps-mid"
    assert line.get_xdata() == pytest.approx([0.9, 1.1, 1.3, 1.5, 1.7])
    assert line.get_ydata() == pytest.approx([0, 0.5, 0.2, 0.3, 0])
    assert axes.get_ylim()[0] == 0
    assert len(axes.collections) == 1  # the band of its intervals


def test_an_exceedance_falls_at_each_value():
    axes = crx.plot(document(panels=[distribution("exceedance", [1, 1.5, 2], [1, 0.4, 0.1])]), intervals="bars").axes[0]
    (line,) = [one for one in axes.lines if one.get_drawstyle() == "steps-pre"]
    assert line.get_xdata() == pytest.approx([1, 1.5, 2, 2])
    assert line.get_ydata() == pytest.approx([1, 0.4, 0.1, 0])
    assert not axes.containers[0].has_xerr


def texts_that_overlap(figure, axis):
    boxes = [t.get_window_extent(figure.crx_measure) for t in axis.get_ticklabels() if t.get_text()]
    return [(a, b) for k, a in enumerate(boxes) for b in boxes[k + 1 :] if a.overlaps(b)]


@pytest.mark.parametrize("width", [2.2, 3.35, 6])
@pytest.mark.parametrize("factor", [1, 3e4, 7e-6])
def test_numbers_of_a_logarithmic_axis_stand_clear_of_each_other(width, factor):
    one = series(LISTED[1], lambda x: 1 + x)
    for p in one["points"]:
        p["x"] *= factor
    figure = crx.plot(document(panels=[panel(1, "", [one])]), width=width, caption=False)
    assert texts_that_overlap(figure, figure.axes[0].xaxis) == []
    assert len([t for t in figure.axes[0].xaxis.get_ticklabels() if t.get_text()]) >= 2


def test_numbers_of_a_map_stand_clear_of_each_other():
    rows = []
    for value in (1, 2, 5):
        one = series(LISTED[1], lambda x: 1 + x, series_value=value)
        first = one["points"][0]
        one["points"] = [{**first, "x": 0.0625 + k / 1024, "y": 1 + k % 7} for k in range(60)]
        rows.append(one)
    figure = crx.plot(document(panels=[panel(1, "", rows, series_axis="lower", kind="heatmap")]), width=3.35, caption=False)
    assert figure.axes[0].images[0].get_array().shape == (3, 60)
    assert texts_that_overlap(figure, figure.axes[0].xaxis) == []


def test_other_scales_than_the_experiments():
    made = crx.plot(document(panels=[panel(1, "", [series(LISTED[1], lambda x: x - 0.04)])]), y_scale="symlog", x_scale="linear")
    assert (made.axes[0].get_xscale(), made.axes[0].get_yscale()) == ("linear", "symlog")
    assert "cannot show" not in " ".join(t.get_text() for t in made.texts)


@pytest.mark.parametrize("curves", [[], [curve("near", "near", "upper", lambda x: 9)]])
@pytest.mark.parametrize("end", ["low", "high"])
def test_an_axis_with_one_end_shows_all_points(curves, end):
    one = panel(1, "", [series(LISTED[1], lambda x: 1 + x)], curves)
    one["y_axis"] = {**one["y_axis"], "scale": "linear", end: {"low": 0, "high": 40}[end]}
    low, high = crx.plot(document(panels=[one])).axes[0].get_ylim()
    assert (low if end == "low" else high) == one["y_axis"][end]
    assert low < 1 and 2 < high and (end == "high" or high < 12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("curves", [[], [curve("far", "far", "upper", lambda x: 1e6)]])
def test_an_end_at_zero_is_none_of_a_logarithmic_axis(curves):
    one = panel(1, "", [series(LISTED[1], lambda x: 1 + x)], curves)
    one["y_axis"] = {**one["y_axis"], "scale": "linear", "low": 0}
    assert crx.plot(document(panels=[one])).axes[0].get_ylim()[0] == 0
    assert crx.plot(document(panels=[one]), y_scale="log").axes[0].get_ylim()[0] > 0


def test_panels_of_the_same_lines_share_a_key():
    lines = [series(policy, lambda x, k=k: 1 + k * x) for k, policy in enumerate(LISTED)]
    figure = crx.plot(document(panels=[panel(number, f"P{number}", lines) for number in (1, 2, 3)]))
    assert all(axes.get_legend() is None for axes in figure.axes)
    assert len(figure.legends[0].get_texts()) == len(LISTED)


def test_shifted_symbols_are_within_the_axes():
    low = [series(policy, lambda x: 9.0, half_width=0) for policy in LISTED[1:]]
    figure = crx.plot(document(panels=[panel(1, "", [series(LISTED[0], lambda x: 20 + x), *low])]))
    bottom, top = figure.axes[0].get_ylim()
    assert bottom < 9 and top > 21
