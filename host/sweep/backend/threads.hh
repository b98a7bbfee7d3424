#pragma once

namespace crx {

/// The number of threads to use: `asked`, or, where that is 0, as many as there are processors.
/// Throws ConfigError where so many cannot be started here: oneTBB, which starts them later, would
/// end the program.
int threads_to_use(int asked);

} // namespace crx
