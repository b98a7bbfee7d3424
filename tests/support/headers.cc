// Nothing: what CMake compiles so that the headers of all tests are compiled first
// (tests/CMakeLists.txt).
