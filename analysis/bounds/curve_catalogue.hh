#pragma once

#include "kernels/model/requests.cuh"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace crx::bounds {

/// What a curve of the catalogue is about. Where one of these fails it says nothing of the points
/// beside it: it may lie below them without being refuted.
struct CurveHypotheses
{
    std::string_view id;
    bool of_opt = false;      ///< proven against OPT; else against H-SF alone
    bool no_prompts = false;  ///< s = 0
    bool two_lengths = false; ///< every output is l or u
    bool u_divides_m = false;
    bool u_is_m = false;
    /// It is of the fluid ratio, the limit of many requests and large M, which the ratio of an
    /// instance may exceed; else it is of every instance, or of a construction.
    bool limit = false;
};

/// What a curve that is a limit says of one instance: nothing.
inline constexpr std::string_view limit_text =
    "in the limit of many requests and large M (an instance may lie above)";

/// Those of a curve; null where there is no such curve.
CurveHypotheses const* hypotheses_of(std::string_view id);

/// What is known of a cell; what is not known fails no hypothesis.
struct CurveCase
{
    BaselineKind baseline = BaselineKind::h_sf;
    std::optional<bool> prompts;       ///< any
    std::optional<bool> other_lengths; ///< outputs of three values or more may occur
    std::optional<double> u, memory;
    bool arrivals = false, affine = false;
};

/// All of a curve's hypotheses, in the words of failed_hypotheses.
std::vector<std::string> all_hypotheses(CurveHypotheses const& curve);

/// The hypotheses that fail, in words that end "it is .."; empty: the curve holds as it stands.
std::vector<std::string> failed_hypotheses(CurveHypotheses const& curve, CurveCase const& at);

using CurveParameters = std::map<std::string, double>;

/// Parameters as a curve reads them: what it has looked at is known afterwards.
class CurveReader
{
  public:
    explicit CurveReader(CurveParameters const& at) : at_(at) {}

    bool has(std::string const& name) const { return at_.contains(name); }
    /// Throws std::invalid_argument where there is none.
    double get(std::string const& name) const;
    double get_or(std::string const& name, double otherwise) const;
    /// Names asked for a value so far, whether they have one or not.
    std::set<std::string> const& read() const { return read_; }

  private:
    CurveParameters const& at_;
    mutable std::set<std::string> read_;
};

/// A published or derived bound that a plot can draw and a report can cite by name.
///
/// The parameters of two-point curves are a shape: either `alpha` with optional `s_over_u`
/// (default 0), or `l`, `u` with optional `s` (default 0), or `alpha`, `u` with optional `s`.
/// Curves of one instance also need its odds: `t` = x_l/x_u, or `w` = x_l/(x_l+x_u).
/// Parameters that a curve does not read are ignored, so one set can serve many curves; what it has
/// read, a CurveReader knows.
struct Curve
{
    std::string id;         ///< fixed name, e.g. "chen-3.3"
    std::string statement;  ///< one line of plain text
    std::string source;     ///< paper and theorem
    std::string legend;     ///< label in the text of documents (docs/protocol.md)
    std::string parameters; ///< what it reads, for messages and help
    std::function<double(CurveReader const&)> function; ///< throws outside its domain

    /// The curve's value; nothing outside its domain, NaN parameters included. A missing parameter
    /// is a mistake, not a point outside the domain: throws std::invalid_argument naming it.
    std::optional<double> evaluate(CurveParameters const& at) const;
};

/// All curves, in the order of the paper.
std::vector<Curve> const& curve_catalogue();

/// The curve of that name, or nothing.
Curve const* find_curve(std::string_view id);

} // namespace crx::bounds
