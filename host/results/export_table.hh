#pragma once

#include "host/results/results.hh"

#include <span>
#include <variant>

namespace crx {

/// A whole number of any size, in digits.
struct Digits
{
    std::string text;
    bool operator==(Digits const&) const = default;
};

/// Nothing where a cell has no such number (no finished instance, one instance, no such axis).
using ExportValue = std::variant<std::monostate, std::int64_t, double, std::string, Digits>;

/// A row per cell, policy and baseline, or, in the iteration model, per cell, policy, horizon and
/// type; docs/store.md describes the columns.
struct ExportTable
{
    std::vector<std::string> columns;
    std::vector<std::vector<ExportValue>> rows;
    /// Of each row what ran its policy: in JSON alone, as another machine may have other engines.
    std::vector<ExportValue> engines;
};

/// The table of a store, with intervals of that confidence. It depends on the sums alone, not on
/// how or when they came about.
ExportTable make_export(StoreContents const& contents, double confidence);

/// The same of a store of the iteration model.
ExportTable make_path_export(StoreContents const& contents, double confidence);

/// Axes in the order they first come, then the other parameters by name.
std::vector<std::string> parameter_names(StoreContents const& contents);
/// Columns of a table: `parameters` between the fixed ones, `parameter_` before a name that is
/// fixed.
std::vector<std::string> columns_around(std::span<char const* const> before,
                                        std::vector<std::string> const& parameters,
                                        std::span<char const* const> after);
/// A cell's number by that name; nothing where it has none.
ExportValue parameter_value(CellResult const& cell, std::string const& name);
/// The last columns of a row: seed, commits, the units of times, of their sums and of memory, and
/// the confidence of its intervals.
void add_provenance(std::vector<ExportValue>& row, StoreContents const& contents,
                    CellResult const& cell, std::string const& time, std::string const& sum_time,
                    double confidence);
/// Whether an experiment keeps measures of requests, which have columns of their own; in seconds on
/// a clock, else in rounds, as panels have them.
bool has_request_measures(StoreContents const& contents);
void add_request_columns(std::vector<std::string>& columns);
void add_request_measures(std::vector<ExportValue>& row, CellResult const& cell, std::size_t policy,
                          double confidence);

/// Comma-separated values with RFC 4180's quoting; lines end in \n. Numbers are the shortest text
/// that reads back as the same double.
std::string to_csv(ExportTable const& table);

/// A JSON array of one object a row, behind the columns `engine`; Digits become strings, nothing
/// becomes null.
std::string to_json(ExportTable const& table);

} // namespace crx
