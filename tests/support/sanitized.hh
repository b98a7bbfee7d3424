#pragma once

namespace crx_test {

/// Whether this program, and so `crx` beside it, takes memory through the address or the thread
/// sanitizer: they reserve terabytes of addresses, which a limit refuses, and have allocators of
/// their own, which no preloaded library sees.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

} // namespace crx_test
