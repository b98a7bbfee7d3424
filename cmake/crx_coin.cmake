# COIN-OR's linear and integer programs, CLP and CBC, as the target crx_coin: CLP for analysis/sorted_f, CBC for tests.
find_path(CRX_COIN_INCLUDE coin/ClpSimplex.hpp REQUIRED)
find_path(CRX_CBC_INCLUDE coin/Cbc_C_Interface.h REQUIRED)
add_library(crx_coin INTERFACE)
target_include_directories(crx_coin SYSTEM INTERFACE ${CRX_COIN_INCLUDE} ${CRX_CBC_INCLUDE})
foreach(library CbcSolver Cbc OsiClp Osi Clp CoinUtils)
  find_library(CRX_COIN_${library} ${library} REQUIRED)
  target_link_libraries(crx_coin INTERFACE ${CRX_COIN_${library}})
endforeach()
