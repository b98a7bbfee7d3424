#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crx::plot {

/// Plain text (UTF-8) as enhanced text that prints just that: signs that mean something to gnuplot
/// are escaped, control characters become spaces.
std::string escape(std::string_view plain);

/// Plain text with the names of the papers set as they set them: A_max, A_min, A_l, A_random with a
/// slanted A and a subscript, and the word alpha as the Greek letter. All else as escape().
std::string typeset(std::string_view plain);

/// Enhanced text of the curve catalogue in the type of the figures: slanted A, Greek letters and
/// infinity as Unicode, so that no symbol font is needed.
std::string typeset_legend(std::string enhanced);

/// Width of enhanced text in ems, by the metrics of Helvetica (which Arial and Liberation Sans
/// share); other signs than ASCII count 0.6 em. Within some 5 per cent: enough to lay out a key.
double text_width(std::string_view enhanced);

/// Enhanced text in lines of at most `width` ems where its spaces allow; braces are kept whole.
std::vector<std::string> wrap(std::string const& enhanced, double width);

/// As wrap(), in as few lines, but of lengths as even as can be.
std::vector<std::string> wrap_evenly(std::string const& enhanced, double width);

/// A gnuplot string constant with exactly this text: in double quotes, with the signs that mean
/// something there as numbers. (In single quotes gnuplot loses an apostrophe at the beginning, and
/// two in a row.) Control characters, which would end the command, become spaces.
std::string quote(std::string_view text);

} // namespace crx::plot
