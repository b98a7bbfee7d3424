#include "oracle/oracle.hh"
