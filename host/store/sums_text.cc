#include "host/store/sums_text.hh"

#include "analysis/statistics/wide_integer.hh"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace crx {

namespace {

constexpr Unfinished reasons[] = {Unfinished::cycle, Unfinished::round_cap, Unfinished::blocked,
                                  Unfinished::out_of_range}; ///< as they are written

/// Writes the numbers of an array, one after the other.
class Writer
{
  public:
    void operator()(std::int64_t value)
    {
        char digits[20]; // of the least of 64 bits
        auto const end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
        next().append(std::begin(digits), end);
    }
    void operator()(Unsigned128 value) { next() += to_text(value); }
    void operator()(Unsigned192 const& value) { next() += to_text(value); }
    std::string end() { return text_ + "]"; }

  private:
    std::string& next()
    {
        if (text_.size() > 1) text_ += ',';
        return text_;
    }
    std::string text_ = "[";
};

/// Reads them again.
class Reader
{
  public:
    explicit Reader(std::string_view text) : text_(text)
    {
        if (text_.size() < 2 || text_.front() != '[' || text_.back() != ']') fail();
        text_ = text_.substr(1, text_.size() - 2);
    }

    bool is_at_end() const { return text_.empty(); }
    void operator()(std::int64_t& value)
    {
        auto const word = next();
        auto const* const end = word.data() + word.size();
        auto const read = std::from_chars(word.data(), end, value);
        if (read.ec != std::errc() || read.ptr != end) fail();
    }
    void operator()(Unsigned128& value)
    {
        auto const wide = natural(128);
        value = (Unsigned128{wide.middle} << 64) | wide.low;
    }
    void operator()(Unsigned192& value) { value = natural(192); }

  private:
    [[noreturn]] static void fail() { throw std::invalid_argument("its sums cannot be read"); }

    std::string_view next()
    {
        if (text_.empty()) fail();
        auto const comma = text_.find(',');
        auto const word = text_.substr(0, comma);
        text_ = comma == std::string_view::npos ? std::string_view() : text_.substr(comma + 1);
        if (word.empty()) fail();
        return word;
    }

    Unsigned192 natural(unsigned bits)
    {
        constexpr std::size_t digits_of_64_bits = 19, digits_of_192_bits = 58;
        auto const word = next();
        if (word.size() > digits_of_192_bits ||
            word.find_first_not_of("0123456789") != std::string_view::npos)
            fail();
        if (word.size() <= digits_of_64_bits) {
            std::uint64_t low = 0;
            std::from_chars(word.data(), word.data() + word.size(), low);
            return {low, 0, 0};
        }
        if (word.front() == '0') fail(); // which would make it octal
        BigInteger const value{std::string(word)};
        if ((value >> bits) != 0) fail();
        auto const part = [&](unsigned number) {
            return static_cast<std::uint64_t>((value >> (64 * number)) & ~std::uint64_t{0});
        };
        return {part(0), part(1), part(2)};
    }

    std::string_view text_;
};

/// The order of a policy's own sums, for both.
template <class Sums, class Use>
void each_outcome(Sums& s, Use& use)
{
    use(s.count);
    use(s.unfinished);
    for (auto const reason : reasons) use(s.unfinished_by[static_cast<int>(reason)]);
    use(s.latency);
    use(s.latency_squares);
    use(s.first_token_latency);
    use(s.first_token_squares);
    use(s.makespan);
    use(s.makespan_squares);
    use(s.cancellations);
    use(s.wasted_tokens);
    use(s.events);
    use(s.peak_memory);
}

template <class Sums, class Use>
void each_ratio(Sums& r, Use& use)
{
    use(r.sum);
    use(r.sum_of_squares);
    use(r.baseline_sum);
    use(r.baseline_squares);
    use(r.cross);
    use(r.smallest.ratio);
    use(r.smallest.instance);
    use(r.largest.ratio);
    use(r.largest.instance);
}

/// Of a group of instances: what is not of one measure.
template <class Group, class Use>
void each_total(Group& g, Use& use)
{
    use(g.instances);
    use(g.requests);
    use(g.attained);
    use(g.attained_tokens);
    use(g.tokens);
    use(g.lost_tokens);
    use(g.time);
    use(g.held_time);
    use(g.crowded_time);
}

template <class Value, class Use>
void each_value(Value& v, Use& use)
{
    use(v.count);
    use(v.sum);
    use(v.largest);
}

/// Measures that follow the totals of their group. Those after them follow all groups, and are left
/// out where none is kept: texts that were written before they were there are read.
constexpr std::size_t measures_in_groups = 5;
static_assert(measure_count == measures_in_groups + 1); // a second one after them needs a name

/// Bins as steps from the one before (the first from -1), their number negative: a step alone counts
/// one, a negative step is followed by its count.
void write_value(MeasureGroup::Values const& value, Writer& writer)
{
    each_value(value, writer);
    writer(-static_cast<std::int64_t>(value.histogram.size()));
    std::int64_t before = -1;
    for (auto const& [bin, count] : value.histogram) {
        auto const step = std::int64_t{bin} - before;
        before = bin;
        writer(count == 1 ? step : -step);
        if (count != 1) writer(count);
    }
}

void read_value(MeasureGroup::Values& value, Reader& reader)
{
    each_value(value, reader);
    std::int64_t bins = 0, before = -1;
    reader(bins);
    for (; bins < 0; ++bins) {
        std::int64_t step = 0, count = 1;
        reader(step);
        if (step < 0) reader(count);
        before += step < 0 ? -step : step;
        value.histogram[static_cast<std::uint32_t>(before)] += count;
    }
    for (; bins > 0; --bins) { // as stores once had them: bins and their counts
        std::int64_t bin = 0, count = 0;
        reader(bin);
        reader(count);
        value.histogram[static_cast<std::uint32_t>(bin)] += count;
    }
}

void write_groups(MeasureSums const& sums, std::size_t measures, Writer& writer)
{
    for (auto const& group : sums.group) {
        each_total(group, writer);
        for (std::size_t m = 0; m < measures; ++m) write_value(group.value[m], writer);
    }
}

void read_groups(MeasureSums& sums, std::size_t measures, Reader& reader)
{
    for (auto& group : sums.group) {
        each_total(group, reader);
        for (std::size_t m = 0; m < measures; ++m) read_value(group.value[m], reader);
    }
}

/// Stands where the number of a path would, before the measures of all.
constexpr std::int64_t measures_follow = -1;

/// What is kept of all prompts, and of each type alone.
template <class Sums, class Use>
void each_of_any_type(Sums& t, Use& use)
{
    use(t.arrivals);
    use(t.completed);
    use(t.first_tokens);
    use(t.arrival_time);
    use(t.completion_time);
    use(t.first_token_time);
}

template <class Sums, class Use>
void each_of_all_types(Sums& t, Use& use)
{
    use(t.until);
    each_of_any_type(t, use);
    use(t.arrived_tokens);
    use(t.completed_tokens);
    use(t.iterations);
    use(t.batch_prompts);
    use(t.cancelled);
    use(t.overflows);
    use(t.peak_memory);
}

} // namespace

std::string to_text(Unsigned128 value)
{
    if (value >> 64 == 0) return std::to_string(static_cast<std::uint64_t>(value));
    return to_big(value).str();
}

std::string to_text(Unsigned192 const& value)
{
    if (value.high == 0 && value.middle == 0) return std::to_string(value.low);
    return to_big(value).str();
}

std::string to_text(OutcomeSums const& sums, MeasureSums const& measures)
{
    Writer writer;
    each_outcome(sums, writer);
    if (measures.empty()) return writer.end();
    write_groups(measures, measures_in_groups, writer);
    for (std::size_t m = measures_in_groups; m < measure_count; ++m) {
        auto const is_kept = [m](MeasureGroup const& group) { return group.value[m].count > 0; };
        if (std::ranges::none_of(measures.group, is_kept)) continue;
        for (auto const& group : measures.group) write_value(group.value[m], writer);
    }
    return writer.end();
}

void add_outcomes(std::string_view text, OutcomeSums& sums, MeasureSums& measures)
{
    Reader reader(text);
    OutcomeSums read;
    each_outcome(read, reader);
    MeasureSums of_requests;
    if (!reader.is_at_end()) read_groups(of_requests, measures_in_groups, reader);
    for (std::size_t m = measures_in_groups; m < measure_count && !reader.is_at_end(); ++m)
        for (auto& group : of_requests.group) read_value(group.value[m], reader);
    if (!reader.is_at_end()) throw std::invalid_argument("it has too many sums");
    sums.add(read);
    measures.add(of_requests);
}

void add_outcomes(std::string_view text, OutcomeSums& sums)
{
    Reader reader(text);
    OutcomeSums read;
    each_outcome(read, reader);
    sums.add(read);
}

std::string to_text(RatioTally const& sums, Histogram const& histogram)
{
    Writer writer;
    if (sums.smallest.instance < 0) return writer.end();
    each_ratio(sums, writer);
    for (auto const& [bin, count] : histogram) {
        writer(std::int64_t{bin});
        writer(count);
    }
    return writer.end();
}

void add_ratios(std::string_view text, RatioTally& sums, Histogram& histogram)
{
    Reader reader(text);
    if (reader.is_at_end()) return;
    RatioTally read;
    each_ratio(read, reader);
    sums.add(read);
    Histogram counts;
    while (!reader.is_at_end()) {
        std::int64_t bin = 0, count = 0;
        reader(bin);
        reader(count);
        counts[static_cast<std::uint32_t>(bin)] += count;
    }
    histogram.add(counts);
}

std::string to_text(std::vector<PathRecord> const& paths, std::vector<MeasureSums> const& measures)
{
    Writer writer;
    for (auto const& path : paths) {
        writer(path.path);
        writer(static_cast<std::int64_t>(path.tallies.size()));
        writer(static_cast<std::int64_t>(path.types.empty() ? 0 : path.types.front().size()));
        for (std::size_t c = 0; c < path.tallies.size(); ++c) {
            each_of_all_types(path.tallies[c], writer);
            if (!path.types.empty())
                for (auto const& type : path.types[c]) each_of_any_type(type, writer);
        }
    }
    if (measures.empty()) return writer.end();
    writer(measures_follow);
    writer(static_cast<std::int64_t>(measures.size()));
    for (auto const& horizon : measures) write_groups(horizon, measure_count, writer);
    return writer.end();
}

void add_paths(std::string_view text, std::vector<PathRecord>& paths,
               std::vector<MeasureSums>& measures)
{
    Reader reader(text);
    while (!reader.is_at_end()) {
        std::int64_t horizons = 0, types = 0;
        std::int64_t number = 0;
        reader(number);
        reader(horizons);
        if (number == measures_follow) {
            measures.resize(std::max(measures.size(), static_cast<std::size_t>(horizons)));
            for (std::int64_t c = 0; c < horizons; ++c) {
                MeasureSums read;
                read_groups(read, measure_count, reader);
                measures[static_cast<std::size_t>(c)].add(read);
            }
            continue;
        }
        reader(types);
        auto& path = paths.emplace_back();
        path.path = number;
        for (std::int64_t c = 0; c < horizons; ++c) {
            each_of_all_types(path.tallies.emplace_back(), reader);
            if (types == 0) continue;
            auto& of_types = path.types.emplace_back();
            for (std::int64_t j = 0; j < types; ++j)
                each_of_any_type(of_types.emplace_back(), reader);
        }
    }
}

} // namespace crx
