#pragma once

#include <string_view>

namespace crx {

/// The files that a report is made of beside its data, built into the program
/// (cmake/crx_report.cmake).
struct ReportAssets
{
    std::string_view vega, vega_lite, vega_embed; ///< empty where npm's packages were not there
    std::string_view licences;                    ///< of these three and what they contain
    std::string_view script, style;               ///< host/report/page

    bool has_charts() const { return !vega.empty() && !vega_lite.empty() && !vega_embed.empty(); }
};

ReportAssets const& report_assets();

} // namespace crx
