# Sourced by the other scripts: what the project needs of Debian 12 or Ubuntu 24.04, and how it is
# installed where it is missing.

crx_packages=(
    ca-certificates git g++ cmake ninja-build python3
    libboost-dev libcli11-dev libeigen3-dev libfmt-dev libhwy-dev libmuparser-dev libnlopt-dev
    librandom123-dev libspectra-dev libsqlite3-dev libtbb-dev libtomlplusplus-dev
    nlohmann-json3-dev
    coinor-libcbc-dev coinor-libclp-dev
    gnuplot-nox fonts-dejavu-core fonts-liberation
    libgtest-dev librapidcheck-dev libbenchmark-dev
)

# What the Python package needs beside them (docs/python.md).
crx_python_packages=(python3-dev pybind11-dev python3-numpy python3-pandas)

# What tests take beside: the browser that opens a report; and what tests of the Python package use.
crx_test_packages=(chromium)
crx_python_test_packages=(
    python3-pytest mypy
    python3-matplotlib python3-nbclient python3-nbformat python3-ipykernel
    python3-pip python3-setuptools python3-wheel python3-venv
)

# For sweeps on many machines (docs/cluster.md): the program is built without them too, and tests that
# need them are skipped.
crx_cluster_packages=(libopenmpi-dev openmpi-bin slurm-wlm munge)
# MPICH beside Open MPI, whose mpirun stays the usual one: one more test of ranks.
crx_cluster_test_packages=(mpich libmpich-dev)

# Installs those of the packages named that are not there.
install_missing() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "installing: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "not root and no sudo; install first: ${missing[*]}" >&2
            exit 1
        }
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Installs what the page of `crx report` is drawn with (Vega, Vega-Lite, vega-embed) from npm into
# build/node, as host/report/page/package-lock.json pins it. With "tests" also what opens the page in
# a browser. Where npm cannot be had or fails it says so and goes on: the page then has the figures
# for print alone.
install_node_packages() {
    local page=host/report/page place=build/node kind=--omit=dev
    [ "${1:-}" = tests ] && kind=--include=dev
    if cmp -s "$page/package-lock.json" "$place/package-lock.json" &&
        [ -e "$place/node_modules/vega-embed" ] &&
        { [ "$kind" = --omit=dev ] || [ -e "$place/node_modules/playwright-core" ]; }; then
        return
    fi
    command -v npm >/dev/null || (install_missing nodejs npm) || true
    mkdir -p "$place"
    cp "$page/package.json" "$page/package-lock.json" "$page/.npmrc" "$place/"
    if ! (cd "$place" && npm ci --ignore-scripts --no-audit --no-fund --silent "$kind"); then
        rm -f "$place/package-lock.json"
        echo "npm's packages are not there, so crx report makes pages without interactive charts" >&2
    fi
}
