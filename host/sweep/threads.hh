#pragma once

#include <string>

namespace crx {

/// The number of threads to use: `asked`, or, where that is 0, as many as there are processors.
/// Throws ConfigError where so many cannot be started here: oneTBB, which starts them later, would
/// end the program.
int threads_to_use(int asked);

/// "AMD EPYC 9B14, 2 threads": this machine's processor as Linux names it ("processor" where it has
/// no name), and the threads that a run uses.
std::string processor_text(int threads);

} // namespace crx
