# cmake --build build --target site: makes docs/ into static HTML with a search, in build/site, by MkDocs and Pygments.

find_package(Python3 QUIET COMPONENTS Interpreter)
find_program(MKDOCS_PROGRAM mkdocs)
if(MKDOCS_PROGRAM AND Python3_Interpreter_FOUND)
  add_custom_target(site
    COMMAND "${CMAKE_COMMAND}" -E env "QUADRILLE_LIBRARY=${PROJECT_SOURCE_DIR}/schedules"
      "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/site/build.py" --source "${PROJECT_SOURCE_DIR}" --quadrille "$<TARGET_FILE:quadrille>"
      --mkdocs "${MKDOCS_PROGRAM}" --output "${PROJECT_BINARY_DIR}/site"
    DEPENDS quadrille
    USES_TERMINAL
    COMMENT "Running the examples of the documentation, drawing its pictures and writing site/")
else()
  add_custom_target(site
    COMMAND "${CMAKE_COMMAND}" -E echo "The site is made by MkDocs 1.4 and Python, and `mkdocs` was not found when the build was configured: install it (Debian: mkdocs), and configure again"
    COMMAND "${CMAKE_COMMAND}" -E false
    VERBATIM)
endif()
