# What `cmake --install build` puts under a prefix. Each component becomes a Debian package: `compiler`, `library`, `library_mpi`,
# `development`, and `preload_openmpi` and `preload_mpich`. No installed file names the source folder, the build folder or the prefix, so an
# installation can be moved.

include(CMakePackageConfigHelpers)

set(dataFolder "${CMAKE_INSTALL_DATADIR}/quadrille")
set(packageFolder "${CMAKE_INSTALL_LIBDIR}/cmake/Quadrille")

# ---- the compiler, with the schedules and the documentation that it reads
install(TARGETS quadrille COMPONENT compiler)
# Test suites of users load kit/lit; `quadrille new` writes kit/new.
install(DIRECTORY schedules docs kit/lit kit/new DESTINATION "${dataFolder}" COMPONENT compiler)

# ---- the runtime: headers, libraries for programs with emitted code, and the harness, which only `quadrille run` links
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

# ---- libquadrille: programs that run need the shared libraries; who builds programs needs the others, too
install(TARGETS quadrille_collectives quadrille_collectives_static EXPORT QuadrilleCollectivesTargets
  LIBRARY COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS quadrille_dispatch ARCHIVE COMPONENT development)
install(EXPORT QuadrilleCollectivesTargets NAMESPACE quadrille:: DESTINATION "${packageFolder}" COMPONENT development)
if(QUADRILLE_WITH_MPI)
  install(TARGETS quadrille_collectives_mpi quadrille_collectives_mpi_static EXPORT QuadrilleCollectivesMpiTargets
    LIBRARY COMPONENT library_mpi NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(TARGETS quadrille_dispatch_of_mpi ARCHIVE COMPONENT development)
  install(EXPORT QuadrilleCollectivesMpiTargets NAMESPACE quadrille:: DESTINATION "${packageFolder}" COMPONENT development)
endif()

# ---- the preload libraries, each in a folder of its own, since both have the same file name
if(QUADRILLE_WITH_MPI)
  get_property(preloads GLOBAL PROPERTY QUADRILLE_PRELOADS)
  foreach(name IN LISTS preloads)
    install(TARGETS quadrille_preload_${name} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/quadrille/${name}" COMPONENT preload_${name})
    install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libquadrille-preload-${name}" RENAME copyright COMPONENT preload_${name})
  endforeach()
  install(PROGRAMS "${PROJECT_BINARY_DIR}/runtime/preload/quadrille-mpirun" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT library)
endif()

# The tables that libquadrille has compiled in: users read and copy them.
install(DIRECTORY runtime/collectives/tables DESTINATION "${dataFolder}" COMPONENT library)

# ---- find_package(Quadrille). CMake looks for packages above the folders of PATH, so what is to be installed is not at the top of the
# build folder: its bin/ may be in PATH.
set(package "${PROJECT_BINARY_DIR}/package-to-install")
configure_package_config_file(cmake/QuadrilleConfig.cmake.in "${package}/QuadrilleConfig.cmake"
  INSTALL_DESTINATION "${packageFolder}"
  PATH_VARS CMAKE_INSTALL_BINDIR
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${package}/QuadrilleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${package}/QuadrilleConfig.cmake" "${package}/QuadrilleConfigVersion.cmake"
  cmake/QuadrilleAddCollectives.cmake cmake/QuadrilleAddSchedules.cmake cmake/QuadrilleMpiFlavour.cmake
  DESTINATION "${packageFolder}" COMPONENT development)

# ---- pkg-config: quadrille-shm and quadrille-mpi; quadrille is the first of them; quadrille-collectives and quadrille-collectives-mpi
file(RELATIVE_PATH QUADRILLE_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" QUADRILLE_PC_PREFIX "${QUADRILLE_PC_PREFIX}")
# quadrille_pkgconfig(NAME DESCRIPTION CFLAGS LIBS REQUIRES)
function(quadrille_pkgconfig name QUADRILLE_PC_DESCRIPTION QUADRILLE_PC_CFLAGS QUADRILLE_PC_LIBS QUADRILLE_PC_REQUIRES)
  set(QUADRILLE_PC_NAME "${name}")
  configure_file(cmake/quadrille.pc.in "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endfunction()
quadrille_pkgconfig(quadrille-shm "Collectives that Quadrille emits, for threads" "" "-lquadrille_shm -lquadrille_runtime_common -pthread" "")
quadrille_pkgconfig(quadrille "Collectives that Quadrille emits, for threads" "" "" quadrille-shm)
quadrille_pkgconfig(quadrille-collectives "Collectives by the best schedule, for threads" "" "-lquadrille_collectives -pthread" "")
if(QUADRILLE_WITH_MPI)
  list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpiIncludes)
  list(JOIN mpiIncludes " " mpiIncludes)
  list(JOIN MPI_CXX_LIBRARIES " " mpiLibraries)
  quadrille_pkgconfig(quadrille-mpi "Collectives that Quadrille emits, for ${QUADRILLE_MPI_FLAVOUR}"
    "-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX ${mpiIncludes}" "-lquadrille_mpi -lquadrille_runtime_common ${mpiLibraries} -pthread" "")
  quadrille_pkgconfig(quadrille-collectives-mpi "Collectives by the best schedule, for ${QUADRILLE_MPI_FLAVOUR}"
    "-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX ${mpiIncludes}" "-lquadrille_collectives_mpi -lquadrille_collectives ${mpiLibraries} -pthread" "")
endif()

# ---- the manual page and completions, from the declarations that --help shows
set(shellFolder "${PROJECT_BINARY_DIR}/shell")
foreach(output IN ITEMS "quadrille.1:man" "quadrille.bash:completion bash" "quadrille.zsh:completion zsh" "quadrille.fish:completion fish")
  string(REGEX MATCH "^([^:]+):(.*)$" matched "${output}")
  set(file "${shellFolder}/${CMAKE_MATCH_1}")
  separate_arguments(command UNIX_COMMAND "${CMAKE_MATCH_2}")
  add_custom_command(OUTPUT "${file}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${shellFolder}"
    COMMAND quadrille ${command} > "${file}"
    DEPENDS quadrille
    COMMENT "Writing ${CMAKE_MATCH_1}")
  list(APPEND shellFiles "${file}")
endforeach()
add_custom_target(quadrille_shell_files ALL DEPENDS ${shellFiles})
install(FILES "${shellFolder}/quadrille.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT compiler)
install(FILES "${shellFolder}/quadrille.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME quadrille
  COMPONENT compiler)
install(FILES "${shellFolder}/quadrille.zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" RENAME _quadrille
  COMPONENT compiler)
install(FILES "${shellFolder}/quadrille.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT compiler)

# ---- editors: the whole folder, and once more the files for Vim and Neovim, where Debian's Vim and Neovim look for them
set(ofSources PATTERN node_modules EXCLUDE PATTERN package-lock.json EXCLUDE PATTERN "*.vsix" EXCLUDE)
install(DIRECTORY editors DESTINATION "${dataFolder}" COMPONENT compiler ${ofSources})
foreach(folder IN ITEMS vim/vimfiles nvim/site)
  install(DIRECTORY editors/vim/ DESTINATION "${CMAKE_INSTALL_DATADIR}/${folder}" COMPONENT compiler)
endforeach()

# ---- what else belongs to a product: licence, changes, examples
# The licence is where Debian's packages have it.
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/quadrille" RENAME copyright COMPONENT compiler)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libquadrille-dev" RENAME copyright COMPONENT development)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libquadrille" RENAME copyright COMPONENT library)
if(QUADRILLE_WITH_MPI)
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libquadrille-mpi" RENAME copyright COMPONENT library_mpi)
endif()
install(FILES CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/quadrille" COMPONENT compiler)
install(DIRECTORY examples DESTINATION "${dataFolder}" COMPONENT compiler
  PATTERN build EXCLUDE PATTERN generated EXCLUDE PATTERN __pycache__ EXCLUDE)

add_custom_target(uninstall
  COMMAND "${CMAKE_COMMAND}" -P "${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake"
  WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
  COMMENT "Removing what was installed last")
