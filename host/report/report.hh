#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace crx {

struct ReportSettings
{
    std::string title;          ///< of the page; empty: that of the only store, or a count of them
    std::size_t worst_runs = 3; ///< of each store that are run again and drawn
    bool charts = true;         ///< false: without charts, as if Vega were not built in
};

struct Report
{
    std::string html;
    std::vector<std::string> notes; ///< what the page lacks, and why; a sentence or more each
};

/// One page about stores, which needs no file beside it and no network (docs/report.md). The same
/// stores give the same bytes. Stores may be growing: the page then says what is not run yet.
/// Throws InputError where a store cannot be read.
Report make_report(std::vector<std::filesystem::path> const& stores,
                   ReportSettings const& settings = {});

} // namespace crx
