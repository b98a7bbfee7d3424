#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace crx::spectrum {

/// A running gnuplot that draws one file with one style: white ground, thin grey grid, a palette
/// that colour-blind readers can tell apart (Okabe and Ito).
class GnuplotSession
{
  public:
    /// The extension picks the terminal. Sizes in points. Throws std::domain_error for another
    /// extension.
    GnuplotSession(std::filesystem::path const& file, int width, int height);
    ~GnuplotSession();

    void send(std::string const& commands);

    /// Names a block of rows of numbers; NaN leaves a gap.
    void data(std::string const& name, std::vector<std::vector<double>> const& rows);

    /// Ends gnuplot. Throws std::runtime_error if the file is missing or empty.
    void finish();

  private:
    struct Process;
    std::filesystem::path file_;
    std::unique_ptr<Process> process_;
};

/// Rows (x, function(x)) for `count` values of x from low to high, evenly or in equal ratios.
std::vector<std::vector<double>> sampled(double low, double high, int count, bool logarithmic,
                                         std::function<double(double)> const& function);

} // namespace crx::spectrum
