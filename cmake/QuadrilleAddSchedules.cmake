# quadrille_add_schedules(TARGET FILES FILE... BACKEND shm|mpi [SEARCH FOLDER...] [NAMESPACE NAME] [PROVE])
#
# Compiles schedules to C++ when TARGET is built, and adds the C++ files to its sources. A FILE is a schedule file, or a schedule of the
# library such as scan/hypercube. TARGET is linked with the runtime of the backend. TARGET, and targets that link with it, include the headers as
#
#   #include "scan_hypercube.h"                     COLLECTIVE_SCHEDULE.h
#   #include "collectives/shm/scan_hypercube.h"     NAMESPACE/BACKEND/..., where it has schedules for several; :: is __ here
#
# What the schedules use and import is looked for beside their files, then in the folders after SEARCH, then in the library.
#
# A schedule is compiled again when a file that it uses has changed; the C++ files are compiled again only if their text is different. With PROVE
# the build fails if a claim of a schedule is not proved for every p. TARGET must have been made in the same folder.

# Under this policy CMake reads the paths in a depfile as relative to the folder in which the compiler runs.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(quadrille_add_schedules target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROVE" "BACKEND;NAMESPACE" "FILES;SEARCH")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "quadrille_add_schedules: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  elseif(NOT TARGET "${target}")
    message(FATAL_ERROR "quadrille_add_schedules: there is no target '${target}' yet")
  elseif(NOT arg_FILES)
    message(FATAL_ERROR "quadrille_add_schedules: FILES names no schedule")
  elseif(NOT arg_BACKEND MATCHES "^(shm|mpi)$")
    message(FATAL_ERROR "quadrille_add_schedules: BACKEND is shm or mpi, not '${arg_BACKEND}'")
  elseif(NOT TARGET "quadrille::${arg_BACKEND}")
    message(FATAL_ERROR "quadrille_add_schedules: there is no backend ${arg_BACKEND}; find_package(Quadrille REQUIRED COMPONENTS "
      "${arg_BACKEND}) says why")
  elseif(arg_NAMESPACE AND NOT arg_NAMESPACE MATCHES "^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$")
    message(FATAL_ERROR "quadrille_add_schedules: NAMESPACE is a name of C++, such as a or a::b, not '${arg_NAMESPACE}'")
  elseif(NOT CMAKE_CXX_COMPILER_LOADED)
    message(FATAL_ERROR "quadrille_add_schedules: what it makes is C++, and this project has not enabled CXX among its LANGUAGES")
  elseif(NOT QUADRILLE_EXECUTABLE)
    message(FATAL_ERROR "quadrille_add_schedules: the compiler, quadrille, is not installed; QUADRILLE_EXECUTABLE may name it")
  endif()
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE collectives)
  endif()
  string(REPLACE "::" "__" namespaceFolder "${arg_NAMESPACE}")
  set(root "${CMAKE_CURRENT_BINARY_DIR}/${target}.schedules")
  set(folder "${root}/${namespaceFolder}/${arg_BACKEND}")

  set(search "")
  foreach(searched IN LISTS arg_SEARCH)
    get_filename_component(absolute "${searched}" ABSOLUTE)
    if(NOT IS_DIRECTORY "${absolute}")
      message(FATAL_ERROR "quadrille_add_schedules: SEARCH names folders, and there is no folder '${searched}'")
    endif()
    list(APPEND search -I "${absolute}")
  endforeach()

  foreach(file IN LISTS arg_FILES)
    get_filename_component(absolute "${file}" ABSOLUTE)
    set(watched "")
    if(EXISTS "${absolute}" AND NOT IS_DIRECTORY "${absolute}")
      set(file "${absolute}")
      set(watched "${absolute}")
      # The names of the outputs depend on the names of the schedules in this file.
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${absolute}")
    elseif(NOT file MATCHES "^[A-Za-z0-9_]+/[A-Za-z0-9_]+$")
      message(FATAL_ERROR "quadrille_add_schedules: there is no file '${file}'")
    endif()
    # If a schedule is wrong, no outputs are expected, and the build reports the error at its line. Status 2 says that an option is
    # wrong, as a namespace that is a macro.
    execute_process(COMMAND "${QUADRILLE_EXECUTABLE}" emit --list-outputs --backend "${arg_BACKEND}" --namespace "${arg_NAMESPACE}"
        ${search} -o "${folder}" "${file}"
      RESULT_VARIABLE status OUTPUT_VARIABLE outputs ERROR_VARIABLE said)
    if(status EQUAL 0)
      string(STRIP "${outputs}" outputs)
      string(REPLACE "\n" ";" outputs "${outputs}")
    else()
      set(outputs "")
      if(NOT watched OR status EQUAL 2)
        message(FATAL_ERROR "quadrille_add_schedules: ${said}")
      endif()
    endif()
    string(SHA256 hash "${file}")
    string(SUBSTRING "${hash}" 0 8 hash)
    get_filename_component(stem "${file}" NAME_WE)
    set(stamp "${folder}/${stem}-${hash}.stamp")
    set(proof "")
    if(arg_PROVE)
      set(proof COMMAND "${QUADRILLE_EXECUTABLE}" prove ${search} "${file}" --require all)
    endif()
    # The stamp is the first output, since make looks at the time of that one. The others keep their times if their texts stay the same.
    add_custom_command(OUTPUT "${stamp}" ${outputs}
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
      ${proof}
      COMMAND "${QUADRILLE_EXECUTABLE}" emit --backend "${arg_BACKEND}" --namespace "${arg_NAMESPACE}" ${search} -o "${folder}"
        --depfile "${stamp}.d" --depfile-target "${stamp}" "${file}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
      DEPENDS ${watched} "${QUADRILLE_EXECUTABLE}"
      DEPFILE "${stamp}.d"
      COMMENT "Compiling the schedule ${file} (${arg_BACKEND})"
      VERBATIM)
    target_sources("${target}" PRIVATE "${stamp}" ${outputs})
  endforeach()

  target_include_directories("${target}" PUBLIC "$<BUILD_INTERFACE:${folder}>" "$<BUILD_INTERFACE:${root}>")
  # target_link_libraries with keywords would be an error if the target is linked without keywords elsewhere, and the other way round.
  get_target_property(type "${target}" TYPE)
  set_property(TARGET "${target}" APPEND PROPERTY LINK_LIBRARIES "quadrille::${arg_BACKEND}")
  if(NOT type STREQUAL "EXECUTABLE")
    set_property(TARGET "${target}" APPEND PROPERTY INTERFACE_LINK_LIBRARIES "quadrille::${arg_BACKEND}")
  endif()
endfunction()

cmake_policy(POP)
