# The folder is the registry: mansard_registry(<target> FOLDER <dir> HEADER <h> TYPE <T> FUNCTION <f>)
# Every <name>.cpp of the folder defines `extern const <T> <name>;` (dashes become underscores) in namespace
# mansard::<dir>; the generated file defines `std::span<const T* const> mansard::<f>()` over all of them, by name.
# (Objects that register themselves from static initialisers would be dropped by the linker in a static library.)
function(mansard_registry target)
  cmake_parse_arguments(arg "" "FOLDER;HEADER;TYPE;FUNCTION" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/*.cpp)
  list(SORT files)
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    string(REPLACE "-" "_" stem ${stem})
    string(APPEND declarations "extern const ${arg_TYPE} ${stem};\n")
    string(APPEND entries "    &${arg_FOLDER}::${stem},\n")
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${arg_FOLDER}_registry.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Generated from the folder ${arg_FOLDER}/ by cmake/Registry.cmake.
#include \"${arg_HEADER}\"

#include <array>
#include <span>

namespace mansard {
namespace ${arg_FOLDER} {
${declarations}}

std::span<const ${arg_TYPE}* const> ${arg_FUNCTION}() {
  static constexpr std::array all{
${entries}  };
  return all;
}
}  // namespace mansard
")
  target_sources(${target} PRIVATE ${output})
endfunction()
