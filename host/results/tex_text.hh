#pragma once

#include <string>
#include <string_view>

namespace crx {

// Texts of documents are plain UTF-8 with mathematics in dollars, as matplotlib and TeX read it;
// docs/protocol.md lists what stands inside.

/// Plain text as text that prints just that: dollars are escaped, control characters are spaces.
std::string escape(std::string_view plain);

/// Plain text with the names of the papers as they set them: A_max, A_min, A_l, A_random with a
/// slanted A and a subscript, and the word alpha as the Greek letter. All else as escape().
std::string typeset(std::string_view plain);

/// "n" as a slanted letter.
std::string slanted(std::string_view letter);

/// Plain words as a subscript: "max" and "share" as max with share below.
std::string with_subscript(std::string_view text, std::string_view below);

} // namespace crx
