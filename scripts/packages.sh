# Sourced by the other scripts: what the project needs of Debian 12 or Ubuntu 24.04, and how it is
# installed where it is missing.

crx_packages=(
    ca-certificates git g++ cmake ninja-build python3
    libboost-dev libcli11-dev libeigen3-dev libfmt-dev libhwy-dev libmuparser-dev libnlopt-dev
    librandom123-dev libspectra-dev libsqlite3-dev libsqlitecpp-dev libtbb-dev libtomlplusplus-dev
    libzstd-dev zlib1g-dev
    nlohmann-json3-dev
    coinor-libcbc-dev coinor-libclp-dev
    libgtest-dev librapidcheck-dev libbenchmark-dev
)

# What pictures, reports and the Python package need beside them (docs/python.md).
crx_python_packages=(python3-numpy python3-pandas python3-matplotlib python3-jinja2 fonts-liberation)

# What tests take beside: the browser that opens a report; and what tests of the Python package use.
crx_test_packages=(chromium)
crx_python_test_packages=(
    python3-pytest mypy
    python3-nbclient python3-nbformat python3-ipykernel
    python3-pip python3-setuptools python3-wheel python3-venv
)

# Launchers of ranks and a Slurm of one node (docs/cluster.md): tests that need them are skipped where
# they are missing.
crx_cluster_test_packages=(openmpi-bin mpich slurm-wlm munge)

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
