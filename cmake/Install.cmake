# What `cmake --install build` puts under a prefix: two components, `compiler` and `development`, each a package of Debian's. Nothing that
# is installed names the source or build folder or the prefix, so that it can be moved.

include(CMakePackageConfigHelpers)

set(dataFolder "${CMAKE_INSTALL_DATADIR}/quadrille")
set(packageFolder "${CMAKE_INSTALL_LIBDIR}/cmake/Quadrille")

# ---- the compiler, with the schedules and the documentation that it reads
install(TARGETS quadrille COMPONENT compiler)
install(DIRECTORY schedules docs DESTINATION "${dataFolder}" COMPONENT compiler)

# ---- the runtime: headers, and libraries for programs with emitted code; those for `quadrille run` are nobody else's
install(DIRECTORY runtime/include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
install(TARGETS quadrille_runtime_common quadrille_shm EXPORT QuadrilleTargets
  ARCHIVE COMPONENT development
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS quadrille_harness_shm ARCHIVE COMPONENT development)
install(EXPORT QuadrilleTargets NAMESPACE quadrille:: DESTINATION "${packageFolder}" COMPONENT development)
if(QUADRILLE_WITH_MPI)
  install(TARGETS quadrille_mpi EXPORT QuadrilleMpiTargets
    ARCHIVE COMPONENT development
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(TARGETS quadrille_harness_mpi ARCHIVE COMPONENT development)
  install(EXPORT QuadrilleMpiTargets NAMESPACE quadrille:: DESTINATION "${packageFolder}" COMPONENT development)
endif()

# ---- find_package(Quadrille)
configure_package_config_file(cmake/QuadrilleConfig.cmake.in "${PROJECT_BINARY_DIR}/QuadrilleConfig.cmake"
  INSTALL_DESTINATION "${packageFolder}"
  PATH_VARS CMAKE_INSTALL_BINDIR
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/QuadrilleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/QuadrilleConfig.cmake" "${PROJECT_BINARY_DIR}/QuadrilleConfigVersion.cmake"
  cmake/QuadrilleMpiFlavour.cmake
  DESTINATION "${packageFolder}" COMPONENT development)
