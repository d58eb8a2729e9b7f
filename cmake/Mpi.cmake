# Looks for MPI, as the option QUADRILLE_MPI says. Sets QUADRILLE_WITH_MPI and QUADRILLE_MPI_FLAVOUR.

set(QUADRILLE_MPI AUTO CACHE STRING "The backend for MPI: ON, OFF, or AUTO, which is ON if an MPI library is found")
set_property(CACHE QUADRILLE_MPI PROPERTY STRINGS AUTO ON OFF)

# Debian installs several MPI libraries side by side, with names such as mpicxx.mpich and mpiexec.mpich. The launcher must be that of the
# library with which a program was compiled.
if(MPI_CXX_COMPILER MATCHES "\\.(mpich|openmpi)$" AND NOT MPIEXEC_EXECUTABLE)
  find_program(MPIEXEC_EXECUTABLE NAMES "mpiexec.${CMAKE_MATCH_1}")
endif()

set(QUADRILLE_WITH_MPI OFF)
if(QUADRILLE_MPI STREQUAL "AUTO")
  find_package(MPI 3.0 COMPONENTS CXX)
elseif(QUADRILLE_MPI)
  find_package(MPI 3.0 REQUIRED COMPONENTS CXX)
endif()
if(QUADRILLE_MPI AND MPI_CXX_FOUND)
  set(QUADRILLE_WITH_MPI ON)
endif()

# quadrille_mpi_flavour(VARIABLE FOLDER...): whose mpi.h is in one of the folders. Libraries that include another one do not fit.
include("${CMAKE_CURRENT_LIST_DIR}/QuadrilleMpiFlavour.cmake")

if(QUADRILLE_WITH_MPI)
  quadrille_mpi_flavour(QUADRILLE_MPI_FLAVOUR ${MPI_CXX_INCLUDE_DIRS} ${MPI_CXX_HEADER_DIR})
  message(STATUS "Backends: shm (threads) and mpi (${QUADRILLE_MPI_FLAVOUR})")
elseif(QUADRILLE_MPI)
  message(WARNING "No MPI library is found: only the backend for threads, shm, is built, and `quadrille run --backend mpi` will be "
    "refused. Install one (libopenmpi-dev, libmpich-dev), say where it is (-DMPI_HOME=FOLDER, -DMPI_CXX_COMPILER=mpicxx), or turn this "
    "warning off with -DQUADRILLE_MPI=OFF.")
else()
  message(STATUS "Backends: shm (threads) only, as QUADRILLE_MPI is OFF")
endif()
