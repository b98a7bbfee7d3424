#pragma once

#include <string>

namespace crx {

/// "AMD EPYC 9B14, 2 threads": this machine's processor as Linux names it ("processor" where it has
/// no name), and the threads that a run uses.
std::string processor_text(int threads);

} // namespace crx
