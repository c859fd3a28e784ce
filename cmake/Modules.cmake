# One static library per folder of src/ (ModuleList.cmake; checked by check_layers.cmake).
include(ModuleList)

add_library(mansard_options INTERFACE)
target_include_directories(mansard_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(mansard_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 is wrong about std::string there (GCC bug 105651)
  $<$<BOOL:${MANSARD_WERROR}>:-Werror>)

# mansard_module(<name> [LINK <libraries>...]): every .cpp below the current folder, linked with the modules before it.
function(mansard_module name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(name STREQUAL "app")
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  endif()
  add_library(mansard_${name} STATIC ${sources})
  list(FIND MANSARD_MODULES ${name} position)
  list(SUBLIST MANSARD_MODULES 0 ${position} earlier)
  list(REVERSE earlier)
  list(TRANSFORM earlier PREPEND mansard_)
  target_link_libraries(mansard_${name} PUBLIC ${earlier} mansard_options ${arg_LINK})
endfunction()
