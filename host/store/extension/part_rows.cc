#include "host/store/extension/part_rows.hh"

#include "host/store/tables/checksums.hh"

#include <stdexcept>

namespace crx {

Holdings const& Parts::of(std::int64_t part)
{
    if (auto const found = known_.find(part); found != known_.end()) return found->second;
    auto row = database_.prepare("SELECT holds FROM parts WHERE part = ?");
    row.bind(part);
    if (!row.step()) throw std::invalid_argument("unknown part " + std::to_string(part));
    return known_.emplace(part, read_holdings(row.text(0), policies_, baselines_)).first->second;
}

std::int64_t Parts::ensure(Holdings const& holdings)
{
    auto const text = holdings_text(holdings, policies_, baselines_);
    auto found = database_.prepare("SELECT part FROM parts WHERE holds = ?");
    found.bind(std::string_view(text));
    if (found.step()) return found.integer(0);
    auto const number = database_.integer("SELECT coalesce(max(part) + 1, 0) FROM parts");
    database_.prepare("INSERT INTO parts(part, holds) VALUES (?, ?)")
        .bind(number)
        .bind(std::string_view(text))
        .run();
    seal_header(database_);
    return number;
}

} // namespace crx
