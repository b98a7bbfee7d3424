"""A document as `crx panels --json --report` prints it, made up: figures and pages need no sweep."""

import math

SHARES = [0.02, 0.04, 0.1, 0.2, 0.36, 0.54, 0.76, 1]
POLICIES = [
    {"label": "a-max", "id": "a-max", "variant": "", "text": r"$A_{\mathrm{max}}$"},
    {"label": "a-min", "id": "a-min", "variant": "", "text": r"$A_{\mathrm{min}}$"},
    {"label": "a-min-evict", "id": "a-min-evict", "variant": "", "text": r"$A_{\mathrm{min}}$ (evict)"},
    {"label": "mine", "id": "own-order", "variant": "", "text": "mine"},
]


def series(policy, value, half_width=0.03, **more):
    points = [
        {
            "x": x,
            "y": value(x),
            "low": value(x) * (1 - half_width),
            "high": value(x) * (1 + half_width),
            "instances": 10,
            "unfinished": 0,
            "cell": cell,
            "coordinates": {"lower": 50 * x, "share": 0.5},
            "worst_instance": 3,
        }
        for cell, x in enumerate(SHARES)
    ]
    found = {"policy": policy["label"], "id": policy["id"], "variant": "", "label": policy["text"], "has_curve": True}
    return {**found, "joined": True, "points": points, "without_value": [], **more}


def curve(id, label, kind, value, **more):
    points = [[0.02 * 50 ** (i / 100), value(0.02 * 50 ** (i / 100))] for i in range(101)]
    found = {"id": id, "label": label, "kind": kind, "policies": ["a-max"], "holds": True, "failed": [], "points": points}
    near = {"policy": "a-max", "cell": 2, "coordinates": {"lower": 5}, "x": 0.1, "y": 7, "low": 6.9, "high": 7.1, "bound": 8}
    near.update(margin=0.125, worst_instance=3)
    return {**found, "statement": "at most 1/alpha", "source": "CHEN Theorem 3.3", "hypotheses": ["prompts 0"], "nearest": near, **more}


def panel(number, title, all_series, curves=(), **more):
    found = {
        "number": number,
        "panel": title,
        "title": title,
        "sweep": "alpha",
        "kind": "curve",
        "x": "alpha",
        "measure": "ratio-of-means",
        "baseline": "h-sf",
        "confidence": 0.95,
        "where": {},
        "caption": "10 instances per cell.",
        "x_axis": {"name": "alpha", "label": r"$\alpha = \ell/u$", "scale": "log", "low": None, "high": None},
        "y_axis": {"name": "r", "label": "E[TEL] / E[TEL(H-SF)]", "unit": "", "scale": "log", "low": None, "high": None},
        "series": list(all_series),
        "curves": list(curves),
    }
    return {**found, **more}


def document(**more):
    """Two panels: one with curves, one with a series axis and a fit."""
    fit = {"from": 0.02, "to": 1, "points": 8, "slope": -0.9, "half_width": 0.02, "factor": 1.0, "r_squared": 0.99}
    fit["drawn"] = [[x, x**-0.9] for x in SHARES]
    by_load = [
        series(
            POLICIES[1], lambda x, k=k: 1 + k * x, label=rf"$A_{{\mathrm{{min}}}}$, load = {v}", load=v, series_value=v, series_index=k,
            line=fit, fit_label="exponent -0.90 ± 0.02",
        )
        for k, v in enumerate((30, 100))
    ]  # fmt: skip
    bound = curve("chen-3.3", r"$A_{\mathrm{max}}$ bound, Thm 3.3", "upper", lambda x: 1 / x)
    provenance = {
        "experiment": "made_up",
        "text": '[experiment]\nname = "made_up"\n[workload]\nrequests = 20\nmemory = 50\nprompt = 2\n'
        '[workload.output]\nlaw = "two-point"\nlower = 1\nupper = 50\n[[sweep]]\nname = "alpha"\n[sweep.axes]\nlower = [1, 2]\n',
        "overrides": ["workload.output.upper=40"],
        "identity": "abc",
        "seed": 7,
        "policies": [],
        "baselines": ["h-sf"],
        "cells": 8,
        "finished": 8,
        "instances": 80,
        "runs": [{"started": "2026-01-01", "seconds": 2.0, "version": "1", "commit": "abcdef", "device": "CPU"}],
        "program": "crx 1",
        "commands": ["crx sweep made_up.toml"],
    }
    rank = {"policy": "a-min", "rank": [1, 1], "mean": {"value": 1.5, "low": 1.4, "high": 1.6}, "best_in": 8}
    rank.update(largest={"value": 2, "low": None, "high": None}, largest_cell=3, runs=8, unfinished=0, few_cells=2)
    table = {"sweep": "alpha", "measure": "ratio-of-means", "baseline": "h-sf", "denominator": "schedule", "cells": 8}
    table.update(compared=8, policies=[rank], differences=[])
    claim = {"id": "C-5.2", "paper": "CHEN", "place": "Theorem 5.2", "statement": "a < b", "hypotheses": ["prompts 0"]}
    claim.update(verdict="holds", evidence="seen", why="its curve is drawn", command="crx claims C-5.2")
    return {
        "format": 1,
        "store": "made_up.db",
        "name": "made_up",
        "title": "Made up <b>",
        "model": "rounds",
        "seed": 7,
        "confidence": 0.95,
        "time_unit": "rounds",
        "caption": "$n$ = 20, $M$ = 50. Bars: 95 % confidence intervals.",
        "caption_parts": [{"about": "facts", "text": "$n$ = 20, $M$ = 50"}],
        "notes": [],
        "policies": POLICIES,
        "provenance": provenance,
        "panels": [
            panel(1, "Policies that plan with u", [series(POLICIES[0], lambda x: 0.7 / x), series(POLICIES[3], math.exp)], [bound]),
            panel(2, "By load", by_load, series_axis="load", series_values=[30, 100]),
        ],
        "ranks": [{"baseline": "h-sf", "tables": [table]}],
        "worst": [{"policy": "a-max", "value": 3.2, "cell": 3, "coordinates": {"lower": 1}, "instance": 7, "requests": 40}],
        "claims": [claim],
        "waiting": [],
        **more,
    }
