#pragma once

#include <string_view>

namespace crx {

/// Whether the bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
bool is_utf8(std::string_view text);

} // namespace crx
