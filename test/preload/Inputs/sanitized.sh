#!/bin/sh
# sanitized.sh BUILD MPI P PROGRAM [ARGUMENT...]: runs a program under `openmpi` or `mpich` with the preload library of a folder that was
# built with -DQUADRILLE_SANITIZE=address,undefined or =thread. The program has to be compiled with the same sanitizer. By hand, for
# half an hour: sanitized.sh build-asan openmpi 4 ./differential 1800
set -e
build=$1 mpi=$2 p=$3
shift 3
inputs=$(cd "$(dirname "$0")" && pwd)
# What MPI libraries never free. They unload parts of theirs, whose leaks then have no name; so nothing is unloaded.
cc -shared -fPIC "$inputs/keep-loaded.c" -o "$build/keep-loaded.so"
export LSAN_OPTIONS="suppressions=$inputs/leaks-of-mpi.txt:print_suppressions=0" ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
# The MPI library is not built for the thread sanitizer, which sees neither its locks nor what they protect.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
sanitizer=libasan.so
grep -q '^QUADRILLE_SANITIZE:.*=thread' "$build/CMakeCache.txt" && sanitizer=libtsan.so
preload=$(readlink -f "$(cc -print-file-name=$sanitizer)"):$build/lib/quadrille/$mpi/libquadrille_mpi.so:$build/keep-loaded.so
if [ "$mpi" = openmpi ]; then
  exec mpirun.openmpi --oversubscribe --mca orte_tmpdir_base "$build" -x "LD_PRELOAD=$preload" -n "$p" "$@"
fi
exec mpiexec.mpich -genv LD_PRELOAD "$preload" -n "$p" "$@"
