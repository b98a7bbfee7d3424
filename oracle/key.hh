#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>

namespace oracle {

using Exact = boost::multiprecision::cpp_rational;

/// The value of a key (docs/model.md#by-key) where its names have these values, with fractions of
/// up to 4,096 bits. Throws std::invalid_argument where it is none, names another or is nested more
/// than 100 deep.
Exact key_value(std::string const& text, std::map<std::string, std::int64_t> const& names);

} // namespace oracle
