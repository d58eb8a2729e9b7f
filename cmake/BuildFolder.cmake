# The build folder has the layout of an installation: bin/, include/, lib/, share/quadrille/. So the executable finds its files in the
# same way in both.

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/quadrille")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/runtime/include" "${PROJECT_BINARY_DIR}/include" SYMBOLIC)
foreach(folder IN ITEMS docs schedules)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/share/quadrille/${folder}" SYMBOLIC)
endforeach()
foreach(folder IN ITEMS lit new)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/kit/${folder}" "${PROJECT_BINARY_DIR}/share/quadrille/${folder}" SYMBOLIC)
endforeach()
