# quadrille_add_collectives(FOLDER)
#
# Builds libquadrille with other schedules, which `quadrille emit --library FOLDER` has written. The targets are quadrille_collectives, a
# shared library, and quadrille_collectives_static; if find_package has found the component mpi, also quadrille_collectives_mpi and
# quadrille_collectives_mpi_static. They are used like quadrille::collectives and quadrille::collectives_mpi, and have the same file names, so
# that they can replace the installed ones.

function(quadrille_add_collectives folder)
  get_filename_component(folder "${folder}" ABSOLUTE)
  _quadrille_add_collectives(quadrille_collectives shm "${folder}" quadrille_dispatch
    quadrille::shm quadrille::runtime_common)
  if(TARGET quadrille::mpi)
    _quadrille_add_collectives(quadrille_collectives_mpi mpi "${folder}" quadrille_dispatch_mpi quadrille::mpi)
    target_link_libraries(quadrille_collectives_mpi PUBLIC quadrille_collectives MPI::MPI_CXX)
    target_link_libraries(quadrille_collectives_mpi_static INTERFACE quadrille_collectives_static)
  endif()
endfunction()

# DISPATCH: the archive with the code that chooses schedules; it lies beside the runtime's archives. Further arguments: the targets of the
# runtime, which the shared library contains as a whole.
function(_quadrille_add_collectives name backend folder dispatch)
  # There is a unit for each collective, which includes its schedules, the files COLLECTIVE_SCHEDULE.cpp.
  file(STRINGS "${folder}/${backend}/units.txt" units)
  list(TRANSFORM units PREPEND "${folder}/${backend}/")
  list(GET ARGN 0 runtime)
  get_target_property(location ${runtime} LOCATION)
  get_filename_component(libraries "${location}" DIRECTORY)
  set(archive "${libraries}/lib${dispatch}.a")

  add_library(${name}_objects OBJECT ${units})
  target_link_libraries(${name}_objects PRIVATE ${runtime})
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)

  add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
  set(whole "${archive}")
  foreach(part IN LISTS ARGN)
    list(APPEND whole $<TARGET_FILE:${part}>)
  endforeach()
  list(JOIN whole "," whole)
  target_link_libraries(${name} PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${whole}>" PUBLIC Threads::Threads)
  target_include_directories(${name} INTERFACE $<TARGET_PROPERTY:quadrille::runtime_common,INTERFACE_INCLUDE_DIRECTORIES>)
  set_target_properties(${name} PROPERTIES VERSION "${Quadrille_VERSION}" SOVERSION "${Quadrille_VERSION_MAJOR}.${Quadrille_VERSION_MINOR}")

  # The two archives need each other, so one is named twice.
  add_library(${name}_candidates STATIC $<TARGET_OBJECTS:${name}_objects>)
  add_library(${name}_static INTERFACE)
  target_link_libraries(${name}_static INTERFACE "${archive}" ${name}_candidates "${archive}" ${runtime})
endfunction()
