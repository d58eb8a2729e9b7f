# Shared by tools/demo, tools/test and tools/bench: what they need from Debian, configuring and building.
# To be sourced by bash, from the root of the project.

# Debian package, and a file of it that tells whether it is there.
packages=(
  "g++:/usr/bin/g++"
  "cmake:/usr/bin/cmake"
  "ninja-build:/usr/bin/ninja"
  "python3:/usr/bin/python3"
  "python3-psutil:/usr/lib/python3/dist-packages/psutil/__init__.py"
  "llvm-19-dev:/usr/lib/llvm-19/lib/libLLVMSupport.a"
  "llvm-19-tools:/usr/lib/llvm-19/bin/FileCheck"
  "libzstd-dev:/usr/include/zstd.h"
  "zlib1g-dev:/usr/include/zlib.h"
  "libncurses-dev:/usr/include/curses.h"
  "antlr4:/usr/bin/antlr4"
  "libantlr4-runtime-dev:/usr/include/antlr4-runtime/antlr4-runtime.h"
  "libopenmpi-dev:/usr/lib/x86_64-linux-gnu/openmpi/include/mpi.h"
  "openmpi-bin:/usr/bin/mpirun"
  "pkgconf:/usr/bin/pkg-config"
  "librsvg2-dev:/usr/include/librsvg-2.0/librsvg/rsvg.h"
  "uuid-dev:/usr/include/uuid/uuid.h"
  "libz3-dev:/usr/include/z3++.h"
  "libginac-dev:/usr/include/ginac/ginac.h"
  "libmimalloc-dev:/usr/include/mimalloc.h"
  "cvc5:/usr/bin/cvc5"
  "libgtest-dev:/usr/include/gtest/gtest.h"
)

# For the full test suite only: another compiler, and other MPI libraries.
clangPackages=("clang:/usr/bin/clang++")
mpichPackages=("mpich:/usr/bin/mpiexec.mpich" "libmpich-dev:/usr/bin/mpicxx.mpich")
# Programs that the preload library is tried with.
preloadPackages=("gfortran:/usr/bin/gfortran" "python3-mpi4py:/usr/lib/python3/dist-packages/mpi4py" "hpcc:/usr/bin/hpcc" "lammps:/usr/bin/lmp")
simgridPackages=("libsimgrid-dev:/usr/bin/smpicxx")
# What tests of installations and of what is generated for others are made with.
installationPackages=(
  "dpkg-dev:/usr/bin/dpkg-shlibdeps"
  "make:/usr/bin/make"
  "groff-base:/usr/bin/groff"
  "zsh:/usr/bin/zsh"
  "fish:/usr/bin/fish"
  "vim:/usr/bin/vim"
  "neovim:/usr/bin/nvim"
)
# What makes the site.
sitePackages=("mkdocs:/usr/bin/mkdocs" "python3-pygments:/usr/lib/python3/dist-packages/pygments/__init__.py")
# What compiles pictures for LaTeX.
texPackages=(
  "texlive-latex-recommended:/usr/share/texlive/texmf-dist/tex/latex/geometry/geometry.sty"
  "texlive-pictures:/usr/share/texlive/texmf-dist/tex/latex/pgf/frontendlayer/tikz.sty"
  "texlive-luatex:/usr/bin/lualatex"
)

# For tools/bench only: what is compared with, and the harness for the machine's limits.
benchmarkPackages=("${mpichPackages[@]}" "libbenchmark-dev:/usr/include/benchmark/benchmark.h")

# installPackages [ENTRY...]: those that are needed to build and test, or these. Only what is missing needs an answer from the
# network; an installed machine starts at once.
installPackages() {
  local missing=() entry name file wanted=("$@")
  [ $# -gt 0 ] || wanted=("${packages[@]}")
  for entry in "${wanted[@]}"; do
    name=${entry%%:*} file=${entry#*:}
    if [ ! -e "$file" ] && ! dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed'; then
      missing+=("$name")
    fi
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "Installing from Debian: ${missing[*]}"
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "error: not root, and there is no sudo; install by hand: apt-get install ${missing[*]}" >&2
      return 1
    fi
    sudo=sudo
  fi
  $sudo apt-get update -q >/dev/null &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

# buildFolder PRESET: where a preset of CMakePresets.json builds.
buildFolder() {
  if [ "$1" = release ]; then echo build; else echo "build-$1"; fi
}

# Another MPI library: what is built depends on whether it is there.
otherMpi() { ls /usr/bin/mpicxx.mpich /usr/bin/mpicxx.openmpi 2>/dev/null || true; }

# build PRESET TARGET...: configures once, and again when another MPI library has been installed; then builds with progress on the terminal.
build() {
  local folder
  folder=$(buildFolder "$1")
  if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/configured-with" 2>/dev/null)" != "$(otherMpi)" ]; then
    echo "Configuring $folder/"
    cmake --preset "$1" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; rm -f "$folder.log"; return 1; }
    mv "$folder.log" "$folder/configure.log"
    otherMpi >"$folder/configured-with"
  fi
  NINJA_STATUS="[%f/%t %es] " ninja -C "$folder" "${@:2}" || return 1
}
