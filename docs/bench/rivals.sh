#!/bin/sh
# Clones and builds the programs that benchmarks compare `queens` with, each in a subfolder of FOLDER, and
# prints the options with which `cargo xtask bench` measures them on one thread:
#
#     sh docs/bench/rivals.sh FOLDER
set -eu
mkdir -p "${1:?usage: sh docs/bench/rivals.sh FOLDER}"
cd "$1"

# Builds a commit of a repository in a folder with this name, unless the folder exists, by the script on the
# standard input.
build() {
    [ -d "$1" ] && return
    rm -rf unfinished
    git clone --quiet --no-checkout "$2" unfinished
    (cd unfinished && git checkout --quiet "$3" && sh -e >&2)
    mv unfinished "$1"
}

# Prints the option that measures the program in a folder.
option() {
    echo "--rival '$1=cd $PWD/$1 && $2'"
}

# The fastest public program for CPUs, which matches the four quarters of the board. It counts N = 16 to 20.
# Each N has its own binary, with the parameters that the program's own table gives for this N, and with the
# prefetching and the BMI2 instructions that its README says to enable.
build quadrants https://github.com/EvgenyKluev/N-Queens-Count-Sol 580f444 << 'SCRIPT'
sed -i 's|^//#include|#include|' prefetch.h bmintrin.h
while read n cuts least bmi prefetch; do
  sed -e "s/size = 18/size = $n/" -e "s/sieveCuts = 0/sieveCuts = $cuts/" \
      -e "s/matchMinSize = 40/matchMinSize = $least/" -e "s/bmiIntrin = false/bmiIntrin = $bmi/" \
      -e "s/prefetch = false/prefetch = $prefetch/" solcounter.h > nqueens.h
  sed 's/solcounter.h/nqueens.h/' main.cpp > nqueens.cpp
  g++ -std=c++20 -O3 -march=native nqueens.cpp -o nqueens$n
done <<'END'
16 0 40 false true
17 0 40 false true
18 0 40 false true
19 0 40 true true
20 3 60 true true
END
SCRIPT
option quadrants './nqueens{n} 1'

# The program to compare `--method symmetry` with: the symmetry method in C, from the repository of the
# programs that the methods of `queens` are based on (docs/seeds.md). It counts N = 4 to 21. It counts a
# range of boards; the build changes it to count a single one.
build symmetry-c https://github.com/suzukiiichiro/N-Queens 029571a << 'SCRIPT'
sed -e 's/unsigned int min=4;/unsigned int min=atoi(argv[2]);/' -e 's/targetN=21/targetN=min/' \
    09Bit_GCC/06GCC_Symmetry.c > symmetry.c
gcc -O3 -march=native -w '-DUINT64_C(c)=c##ULL' symmetry.c -o symmetry
SCRIPT
option symmetry-c './symmetry -r {n}'

# The algorithm of NQueensFAF, translated from Java to C without libraries. It places the queens on all
# four edges first (a *constellation*), then counts the placements of the inner rows. It counts N = 6 to 18.
build constellations-c https://github.com/suzukiiichiro/N-Queens 029571a << 'SCRIPT'
sed -e 's/int min=4;/int min=atoi(argv[1]);/' -e 's/targetN=18/targetN=min/' \
    10Bit_CUDA/004GCC_constellation.c > constellations.c
gcc -O3 -march=native -w constellations.c -o constellations
SCRIPT
option constellations-c './constellations {n}'
