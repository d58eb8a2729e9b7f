# `cpack` in the build folder makes packages for Debian: quadrille, the compiler, and libquadrille-dev, what programs with emitted code
# are built with. Neither needs the other; `quadrille run` needs both.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME quadrille)
set(CPACK_PACKAGE_VENDOR "The Quadrille developers")
set(CPACK_PACKAGE_CONTACT "The Quadrille developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL compiler development)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME quadrille)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPILER_PACKAGE_RECOMMENDS "libquadrille-dev (= ${PROJECT_VERSION}), g++")
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "Quadrille checks, proves, costs, draws, emits and runs schedules of collective operations: \
broadcast, reduce, prefix sums, all-to-all and others. With it comes a library of schedules.

To compile and run what it emits, libquadrille-dev is needed.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libquadrille-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++, quadrille (= ${PROJECT_VERSION})")
set(suggestions cmake pkgconf)
if(QUADRILLE_MPI_FLAVOUR STREQUAL "Open MPI")
  list(PREPEND suggestions libopenmpi-dev openmpi-bin)
elseif(QUADRILLE_MPI_FLAVOUR STREQUAL "MPICH")
  list(PREPEND suggestions libmpich-dev mpich)
endif()
list(JOIN suggestions ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers and static libraries for programs with collectives that the compiler quadrille has \
emitted, for threads or for MPI, and a package for CMake that compiles schedules during a build.")

include(CPack)
