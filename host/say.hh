#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace crx {

/// A text as a terminal may have it: control characters but line breaks, and bytes that are no
/// UTF-8, as \x1b. What files and command lines say passes through here before it is shown.
std::string printable(std::string_view text);
/// The same where line breaks would forge a line of their own: they stand there as \n.
std::string printable_line(std::string_view text);

/// Writes a text and flushes. A failure is ignored: what a run says on its way may be lost, the run
/// goes on where standard error is closed or its disk full.
void write_message(std::FILE* stream, std::string const& text);

/// Where write_message sends what is for standard error, from now on and from any thread; empty: to
/// standard error. For a program that has its own, as Python has.
void set_error_sink(std::function<void(std::string const&)> sink);

/// "crx: LINE" on standard error, likewise; printable.
void say(std::string const& line);

/// Opens descriptors 0 to 2 that the program was started without, so that no store or lock gets
/// one of these numbers and with it what the program prints. Writing to them fails as before.
void hold_standard_streams();

} // namespace crx
