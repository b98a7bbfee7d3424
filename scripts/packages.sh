# Sourced by the other scripts: what the project needs of Debian 12 or Ubuntu 24.04, and how it is
# installed where it is missing.

crx_packages=(
    ca-certificates git g++ cmake ninja-build python3
    libboost-dev libcli11-dev libeigen3-dev libfmt-dev libhwy-dev libmuparser-dev
    librandom123-dev libspectra-dev libsqlite3-dev libtbb-dev libtomlplusplus-dev
    nlohmann-json3-dev
    coinor-libcbc-dev coinor-libclp-dev
    gnuplot-nox fonts-dejavu-core fonts-liberation
    libgtest-dev librapidcheck-dev libbenchmark-dev
)

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
