# Shell functions that bin/demo and bin/test share. To be sourced with $root set to the checkout.

# Succeeds if $1 runs and is a Python >= 3.10 that can make environments (a pyenv shim may exist and not run).
usable_python() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1
}

python_version() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'
}

# Prints the interpreters of every pyenv version, if there are any.
pyenv_pythons() {
    for versions in "${PYENV_ROOT:-$HOME/.pyenv}/versions" "$(pyenv root 2>/dev/null)/versions"; do
        for candidate in "$versions"/3.*/bin/python; do
            [ -x "$candidate" ] && printf '%s\n' "$candidate"
        done
    done
    return 0
}

# Prints a usable Python: $PYTHON when set, else the newest that is found.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        if usable_python "$PYTHON"; then
            printf '%s\n' "$PYTHON"
            return 0
        fi
        echo "PYTHON=$PYTHON does not run, is older than 3.10, or lacks the venv module." >&2
        return 1
    fi
    for candidate in python3.13 python3.12 python3.11 python3.10 python3 python $(pyenv_pythons | sort -r); do
        if usable_python "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    {
        echo "No Python >= 3.10 with the venv module was found."
        echo "Install one (Debian, Ubuntu: apt install python3-venv; macOS: brew install python3),"
        echo "or name yours: PYTHON=/path/to/python3 $0"
    } >&2
    return 1
}

# ensure_venv DIR EXTRA [PYTHON]: the environment DIR has this checkout and its EXTRA ("" for none) installed.
# A stamp in DIR keeps what was installed from which pyproject.toml, so that the second time takes no time.
ensure_venv() {
    venv_dir=$1 extra=$2
    stamp=$venv_dir/.installed
    want=$({ printf '%s\n' "$root"; cat "$root/pyproject.toml"; } | cksum)
    if ! usable_python "$venv_dir/bin/python"; then
        venv_python=${3:-$(find_python)} || return 1
        echo "Making ${venv_dir#"$root"/} with Python $(python_version "$venv_python") ..." >&2
        rm -rf "$venv_dir"
        "$venv_python" -m venv "$venv_dir" || return 1
    fi
    if [ -f "$stamp" ] && grep -qxF "[$extra] $want" "$stamp"; then
        return 0
    fi
    echo "Installing lean-memory${extra:+[$extra]} into ${venv_dir#"$root"/} ..." >&2
    "$venv_dir/bin/python" -m pip install --quiet --disable-pip-version-check \
        --editable "$root${extra:+[$extra]}" || return 1
    # Every extra contains the plain install, and dev contains test.
    printf '[] %s\n[%s] %s\n' "$want" "$extra" "$want" >"$stamp"
}
