#pragma once

#include <string>

namespace crx {

/// A file name as a line of the shell has it: in quotes where it holds more than letters, digits
/// and harmless marks, so that a command that a message names can be given as it stands.
inline std::string shell_word(std::string const& name)
{
    auto const plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string("_-./+,:@%").find(c) != std::string::npos;
    };
    bool quoted = name.empty();
    for (char const c : name) quoted = quoted || !plain(c);
    if (!quoted) return name;
    std::string word = "'";
    for (char const c : name) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

} // namespace crx
