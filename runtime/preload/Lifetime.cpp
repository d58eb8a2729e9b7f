//===- Lifetime.cpp - When MPI and communicators begin and end ------------===//

#include "OwnComm.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <link.h>

using namespace quadrille::preload;

#define QUADRILLE_TAKEN __attribute__((visibility("default")))

#ifdef OPEN_MPI
static constexpr const char *ownLibrary = "libmpi.so.", *otherLibrary = "libmpich.so.", *ownName = "Open MPI", *otherName = "MPICH";
#else
static constexpr const char *ownLibrary = "libmpich.so.", *otherLibrary = "libmpi.so.", *ownName = "MPICH", *otherName = "Open MPI";
#endif

/// Ends the process if its MPI library is not the one that this library was built for, since the first call would crash.
static void checkLibrary() {
  bool hasOther = false;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *found) {
        const char *const slash = std::strrchr(info->dlpi_name, '/'), *const name = slash ? slash + 1 : info->dlpi_name;
        if (std::strncmp(name, otherLibrary, std::strlen(otherLibrary)) == 0)
          *static_cast<bool *>(found) = true;
        return 0;
      },
      &hasOther);
  if (!hasOther)
    return;
  std::fprintf(stderr,
               "quadrille: this program uses %s (%s*), and the preloaded libquadrille_mpi.so was built for %s (%s*); start it with "
               "quadrille-mpirun, which takes the right one, or preload that of the folder %s\n",
               otherName, otherLibrary, ownName, ownLibrary, std::strcmp(otherName, "MPICH") == 0 ? "mpich" : "openmpi");
  std::fflush(stderr);
  std::_Exit(1);
}

/// Checks when the program is loaded. MPI_Init checks again, since the program may load an MPI library later.
__attribute__((constructor)) static void loaded() { checkLibrary(); }

extern "C" {

QUADRILLE_TAKEN int MPI_Init(int *argc, char ***argv) {
  checkLibrary();
  const int error = PMPI_Init(argc, argv);
  if (error == MPI_SUCCESS)
    Process::begin();
  return error;
}

QUADRILLE_TAKEN int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  checkLibrary();
  const int error = PMPI_Init_thread(argc, argv, required, provided);
  if (error == MPI_SUCCESS)
    Process::begin();
  return error;
}

QUADRILLE_TAKEN int MPI_Comm_free(MPI_Comm *comm) {
  const int error = PMPI_Comm_free(comm);
  if (Process::isActive())
    Process::bury();
  return error;
}

QUADRILLE_TAKEN int MPI_Comm_disconnect(MPI_Comm *comm) {
  const int error = PMPI_Comm_disconnect(comm);
  if (Process::isActive())
    Process::bury();
  return error;
}

} // extern "C"
