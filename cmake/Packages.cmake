# `cpack` in the build folder makes Debian packages:
#
#   quadrille                          the compiler; it needs none of the others, but for `quadrille run`, which needs libquadrille-dev
#   libquadrille, libquadrille-mpi     what programs need that call collectives and run
#   libquadrille-dev                   what it takes to build such programs, and programs with emitted code
#   libquadrille-preload-openmpi and -mpich    what existing MPI programs need to take the collectives of libquadrille

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME quadrille)
set(CPACK_PACKAGE_VENDOR "The Quadrille developers")
set(CPACK_PACKAGE_CONTACT "The Quadrille developers")
# Otherwise it would be the first line of all descriptions, which is what `apt list` shows: each begins with one of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL compiler library development)
if(QUADRILLE_WITH_MPI)
  get_property(preloads GLOBAL PROPERTY QUADRILLE_PRELOADS)
  list(TRANSFORM preloads PREPEND preload_ OUTPUT_VARIABLE preloadComponents)
  list(APPEND CPACK_COMPONENTS_ALL library_mpi ${preloadComponents})
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME quadrille)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPILER_PACKAGE_RECOMMENDS "libquadrille-dev (= ${PROJECT_VERSION}), g++")
set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS "llvm-19-tools") # what `quadrille test` runs
if(QUADRILLE_WITH_LIBRSVG) # dpkg-shlibdeps does not see it, since it is loaded and not linked
  string(APPEND CPACK_DEBIAN_COMPILER_PACKAGE_RECOMMENDS ", librsvg2-2 (>= 2.52)")
endif()
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "language and compiler for collective communication schedules
Quadrille checks, proves, costs, draws, emits and runs schedules of collective operations: \
broadcast, reduce, prefix sums, all-to-all and others. With it comes a library of schedules.

To compile and run what it emits, libquadrille-dev is needed.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libquadrille)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "collective operations by the fastest schedule (shared library)
Collective operations among threads or MPI processes: broadcast, reduce, prefix sums, all-to-all and \
others. Each call takes the schedule that a table says is fastest.")

set(CPACK_DEBIAN_LIBRARY_MPI_PACKAGE_NAME libquadrille-mpi)
set(CPACK_DEBIAN_LIBRARY_MPI_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_MPI_PACKAGE_SHLIBDEPS ON)
# dpkg-shlibdeps looks here for the shared library of libquadrille, which is not installed while packages are made.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib")
set(CPACK_DEBIAN_LIBRARY_MPI_PACKAGE_DEPENDS "libquadrille (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_LIBRARY_MPI_DESCRIPTION "collective operations by the fastest schedule (MPI)
The part of libquadrille for MPI processes (${QUADRILLE_MPI_FLAVOUR}).")

# For existing MPI programs there is a package for each MPI library. quadrille-mpirun, in libquadrille, chooses the one that fits.
foreach(name IN LISTS preloads)
  string(TOUPPER "PRELOAD_${name}" component)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME "libquadrille-preload-${name}")
  set(CPACK_DEBIAN_${component}_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_${component}_PACKAGE_DEPENDS "libquadrille (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_${component}_DESCRIPTION "schedules of Quadrille for existing MPI programs (${name})
The collective calls of existing MPI programs (${name}) by the schedules of Quadrille, \
without recompiling: quadrille-mpirun PROGRAM.")
endforeach()

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libquadrille-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libquadrille (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++, quadrille (= ${PROJECT_VERSION})")
if(QUADRILLE_WITH_MPI)
  string(PREPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libquadrille-mpi (= ${PROJECT_VERSION}), ")
endif()
set(suggestions cmake pkgconf)
if(QUADRILLE_MPI_FLAVOUR STREQUAL "Open MPI")
  list(PREPEND suggestions libopenmpi-dev openmpi-bin)
elseif(QUADRILLE_MPI_FLAVOUR STREQUAL "MPICH")
  list(PREPEND suggestions libmpich-dev mpich)
endif()
list(JOIN suggestions ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "collective operations by the fastest schedule (development files)
Headers and static libraries for programs with collectives that the compiler quadrille has \
emitted, for threads or for MPI, and a package for CMake that compiles schedules during a build.")

include(CPack)
