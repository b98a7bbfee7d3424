#include "host/input/trace.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/input/time_column.hh"
#include "host/input/trace_format.hh"
#include "kernels/base/counted.hh"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crx {

namespace {

constexpr std::int64_t most_tokens = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t most_requests = 100'000'000;

/// Reads one file.
class TraceReader
{
  public:
    TraceReader(std::filesystem::path const& file, TraceReading const& reading)
        : file_(file), reading_(reading), table_(file)
    {
        trace_.form = table_.form_text();
    }

    Trace read()
    {
        if (!reading_.unit.empty() && !time_unit_named(reading_.unit))
            throw InputError("unit = " + quoted_short(reading_.unit) +
                             "\n  not accepted: must be one of " +
                             listed_with_nearest(reading_.unit, time_units()));
        choose_format();
        if (trace_.format == rate_windows_format) {
            read_windows();
        } else {
            choose_columns();
            read_requests();
        }
        return std::move(trace_);
    }

  private:
    using Column = std::optional<std::size_t>;

    void choose_format()
    {
        auto const& named = reading_.format;
        auto const known = trace_format_names();
        if (!named.empty() && std::ranges::find(known, named) == known.end())
            throw InputError("format = " + quoted_short(named) +
                             "\n  not accepted: must be one of " +
                             listed_with_nearest(named, known));
        bool const has_windows = table_.headless() && table_.columns().size() == 6;
        if (named == rate_windows_format && !has_windows)
            table_.fail("format servegen has no header and six columns: time, rate, variation, "
                        "law and its two parameters");
        if (has_windows && (named.empty() || named == rate_windows_format)) {
            trace_.format = rate_windows_format;
            return;
        }
        bool const own = !reading_.prompt.empty() || !reading_.output.empty();
        format_ = !named.empty() ? trace_format_named(named)
                  : own          ? nullptr
                                 : recognised_format(table_);
        if (format_ != nullptr) trace_.format = format_->name;
    }

    std::vector<std::string> names_of(std::string const& given, std::string TraceFormat::*of_format,
                                      std::vector<std::string> const& recognised) const
    {
        if (!given.empty()) return {given};
        if (format_ != nullptr) return {format_->*of_format};
        return recognised;
    }

    void use(std::string const& what, std::size_t column)
    {
        trace_.columns.emplace_back(what, table_.columns()[column]);
    }
    Column find_own(std::string const& name)
    {
        auto const column = table_.find_column({name});
        if (column) use(name, *column);
        return column;
    }

    /// Says how to name the columns where none is recognised.
    void require_lengths() const
    {
        std::string missing;
        auto const add = [&](std::string const& what) {
            auto const nearest = nearest_name(what, table_.columns());
            missing +=
                (missing.empty() ? "" : ",") + what + "=" + (nearest.empty() ? "COLUMN" : nearest);
        };
        if (reading_.prompt.empty() && !table_.find_column(prompt_columns())) add("prompt");
        if (reading_.output.empty() && !table_.find_column(output_columns())) add("output");
        if (missing.empty()) return;
        std::string there;
        for (auto const& name : table_.columns())
            there += (there.empty() ? "" : ", ") + name.substr(0, 40);
        if (there.find('\r') != there.npos)
            table_.fail("its lines end in carriage returns alone\n  tr '\\r' '\\n' makes lines of "
                        "them");
        if (there.starts_with('#'))
            table_.fail("begins with a comment, where the names of columns belong\n  grep -v '^#' "
                        "leaves it out");
        table_.fail("no column is known to be the " +
                    std::string(missing.starts_with("output") ? "output" : "prompt") +
                    "; the columns are: " + there + "\n  name it: --columns " + missing +
                    " (in an experiment prompt = \"COLUMN\", output = \"COLUMN\")");
    }

    void choose_columns()
    {
        auto const place = format_ != nullptr ? " in format " + format_->name : std::string();
        if (format_ == nullptr && !table_.headless()) require_lengths();
        prompt_ = table_.need_column(
            "prompt" + place, names_of(reading_.prompt, &TraceFormat::prompt, prompt_columns()));
        output_ = table_.need_column(
            "output" + place, names_of(reading_.output, &TraceFormat::output, output_columns()));
        use("prompt", prompt_);
        use("output", output_);
        zero_prompts_ = table_.columns()[prompt_] == "prompt";
        if (reading_.with_times) choose_times();
        id_ = find_own("id");
        lower_ = find_own("lower");
        upper_ = find_own("upper");
        order_ = find_own("order");
        for (auto const& name : table_.columns())
            if (std::ranges::none_of(trace_.columns,
                                     [&](auto const& used) { return used.second == name; }))
                trace_.unused.push_back(name);
        refuse_misspelt();
    }

    /// A column whose name is nearly one of ours that the file lacks.
    void refuse_misspelt() const
    {
        static std::vector<std::string> const own{"id", "arrival", "lower", "upper", "order"};
        if (format_ != nullptr) return;
        for (auto const& name : trace_.unused) {
            auto const nearest = nearest_name(name, own);
            if (nearest.empty() || nearest == name || table_.find_column({nearest})) continue;
            table_.fail("unknown column " + quoted_short(name) +
                        "; known are: " + listed_with_nearest(name, own));
        }
    }

    void choose_times()
    {
        auto const unit = time_unit_named(reading_.unit);
        auto const hint = format_ == nullptr
                              ? std::string()
                              : "\n  read as format " + format_->name +
                                    "; another format or a unit can be given: --unit s";
        auto const take = [&](std::size_t column, std::optional<TimeUnit> as, bool whole) {
            use("arrival", column);
            from_zero_ = table_.columns()[column] == "arrived_at";
            trace_.times = TraceTimes::nanoseconds;
            times_.emplace(table_, column, as, whole, hint);
        };
        if (!reading_.arrival.empty()) {
            auto const column = table_.need_column("arrival", {reading_.arrival});
            return take(column, unit ? unit : unit_in_name(reading_.arrival), false);
        }
        if (format_ != nullptr) {
            auto const column = table_.find_column({format_->arrival});
            if (!column) {
                if (format_->always_timed)
                    table_.need_column("arrival in format " + format_->name, {format_->arrival});
                return;
            }
            auto as = unit;
            if (!as && format_->times == TimesAs::seconds) as = TimeUnit::seconds;
            if (!as && format_->times == TimesAs::milliseconds) as = TimeUnit::milliseconds;
            if (!as && format_->times == TimesAs::nanoseconds) as = TimeUnit::nanoseconds;
            return take(*column, as, !unit && format_->times == TimesAs::milliseconds);
        }
        if (auto const column = table_.find_column({"arrival"})) {
            if (auto const other = table_.find_column(time_columns()))
                table_.fail("two columns for the arrival: arrival and " + table_.columns()[*other]);
            if (unit) return take(*column, unit, false);
            use("arrival", *column);
            trace_.times = TraceTimes::of_clock;
            arrival_ = column;
            return;
        }
        for (std::size_t k = 0; k < table_.columns().size(); ++k) {
            auto const& name = table_.columns()[k];
            bool const of_arrival = name.starts_with("arriv") || name.starts_with("time");
            if (of_arrival && unit_in_name(name))
                return take(k, unit ? unit : unit_in_name(name), false);
        }
        if (auto const column = table_.find_column(time_columns())) {
            // Vidur's name, whose times are seconds by its definition.
            bool const seconds = table_.columns()[*column] == "arrived_at";
            return take(*column,
                        unit      ? unit
                        : seconds ? std::optional(TimeUnit::seconds)
                                  : std::nullopt,
                        false);
        }
    }

    void read_requests()
    {
        constexpr char const* measured_columns[] = {"queued_ts", "scheduled_ts", "first_token_ts",
                                                    "last_token_ts"};
        std::vector<std::int64_t>* const measured[] = {
            &trace_.measured.queued, &trace_.measured.scheduled, &trace_.measured.first_token,
            &trace_.measured.last_token};
        std::vector<Column> measured_at;
        if (trace_.format == "vllm")
            for (auto const* const name : measured_columns)
                measured_at.push_back(table_.find_column({name}));
        std::int64_t no_output = 0, no_prompt = 0;
        while (table_.next()) {
            auto const row = trace_.rows++;
            if (trace_.requests.size() == most_requests)
                table_.fail(fmt::format("more than {} requests", most_requests));
            Request request;
            request.line = table_.line_number();
            request.prompt = static_cast<std::int32_t>(table_.integer(prompt_, 0, most_tokens));
            request.output = static_cast<std::int32_t>(table_.integer(output_, 0, most_tokens));
            if (arrival_) request.arrival = table_.integer(*arrival_, 0, reading_.latest_arrival);
            if (times_) request.arrival = times_->read();
            if (request.output == 0 || (request.prompt == 0 && !zero_prompts_)) {
                ++(request.output == 0 ? no_output : no_prompt);
                continue;
            }
            request.id = id_ ? std::string(table_.field(*id_)) : std::to_string(row);
            if (request.id.empty()) table_.fail("the id is empty");
            if (!is_utf8(request.id)) table_.fail("the id is not UTF-8");
            request.lower = request.upper = request.output;
            if (lower_)
                request.lower =
                    static_cast<std::int32_t>(table_.integer(*lower_, 1, request.output));
            if (upper_)
                request.upper =
                    static_cast<std::int32_t>(table_.integer(*upper_, request.output, most_tokens));
            if (order_) request.order = table_.integer(*order_, 0, last_nanosecond);
            for (std::size_t k = 0; k < measured_at.size(); ++k) {
                if (!measured_at[k]) continue;
                auto const time = time_number(table_.field(*measured_at[k]), TimeUnit::seconds);
                if (!time) table_.fail_field(*measured_at[k], "a number of seconds");
                measured[k]->push_back(*time);
            }
            trace_.requests.push_back(std::move(request));
        }
        if (no_output > 0) trace_.left_out.emplace_back("no output", no_output);
        if (no_prompt > 0) trace_.left_out.emplace_back("no prompt", no_prompt);
        if (trace_.rows == 0) throw InputError(file_.string() + ": no request after the header");
        if (trace_.requests.empty())
            throw InputError(file_.string() + ": no row with a prompt and an output");
        if (id_) check_ids_differ(trace_.requests, file_.string());
        finish_times();
    }

    void finish_times()
    {
        auto& requests = trace_.requests;
        if (times_) {
            times_->finish(file_);
            trace_.times_as = times_->as();
            // The seconds of `arrived_at` count from 0, as those of an instance file.
            auto const first =
                from_zero_ ? 0 : std::ranges::min(requests, {}, &Request::arrival).arrival;
            for (auto& request : requests) request.arrival -= first;
        }
        trace_.ascending = std::ranges::is_sorted(requests, {}, &Request::arrival);
    }

    void read_windows()
    {
        trace_.columns = {{"begin", "1"}, {"rate", "2"}, {"variation", "3"}};
        trace_.unused = {"4", "5", "6"};
        trace_.times_as = "seconds";
        while (table_.next()) {
            ++trace_.rows;
            auto const number = [&](std::size_t column) {
                auto const value = finite_number(table_.field(column));
                if (!value || *value < 0)
                    table_.fail(fmt::format("column {} = {} is not a number of at least 0",
                                            column + 1, quoted_short(table_.field(column))));
                return *value;
            };
            auto const begin = time_number(table_.field(0), TimeUnit::seconds);
            if (!begin || (!trace_.windows.empty() && *begin <= trace_.windows.back().begin))
                table_.fail("column 1 = " + quoted_short(table_.field(0)) +
                            " is not a time in seconds after that of the row before");
            trace_.windows.push_back({*begin, number(1), number(2)});
        }
        if (trace_.windows.size() < 2)
            throw InputError(file_.string() + ": windows of rates need two rows or more, as the "
                                              "second says when the first ends");
        if (std::ranges::none_of(trace_.windows, [](auto const& w) { return w.rate > 0; }))
            throw InputError(file_.string() + ": every rate is 0");
    }

    std::filesystem::path const& file_;
    TraceReading const& reading_;
    TableReader table_;
    Trace trace_;
    TraceFormat const* format_ = nullptr;
    std::size_t prompt_ = 0, output_ = 0;
    Column id_, arrival_, lower_, upper_, order_;
    std::optional<TimeColumn> times_;
    bool zero_prompts_ = false, from_zero_ = false;
};

} // namespace

double Trace::span_seconds() const
{
    if (!windows.empty()) {
        auto const n = windows.size();
        auto const last = windows[n - 1].begin - windows[n - 2].begin;
        return static_cast<double>(windows.back().begin + last - windows.front().begin) / 1e9;
    }
    if (times != TraceTimes::nanoseconds) return 0;
    auto const [first, last] = std::ranges::minmax(requests, {}, &Request::arrival);
    return static_cast<double>(last.arrival - first.arrival) / 1e9;
}

Trace read_trace(std::filesystem::path const& file, TraceReading const& reading)
{
    return TraceReader(file, reading).read();
}

bool is_worth_saying(Trace const& trace)
{
    return !trace.format.empty() || trace.times != TraceTimes::none || !trace.left_out.empty() ||
           !trace.unused.empty();
}

std::string trace_line(Trace const& trace, std::filesystem::path const& file)
{
    auto out = fmt::format(
        "{}: {}, {}", file.filename().string(),
        trace.format.empty() ? trace.form : "format " + trace.format + " (" + trace.form + ")",
        counted(trace.rows, "row"));
    if (!trace.windows.empty())
        return out + fmt::format(" of arrival rates over {:.6g} s", trace.span_seconds());
    for (auto const& [reason, rows] : trace.left_out)
        out += fmt::format("; left out {} with {}", rows, reason);
    if (auto const span = trace.span_seconds(); span > 0)
        out += fmt::format("; {:.6g} s, {:.4g} requests/s", span,
                           static_cast<double>(trace.requests.size() - 1) / span);
    for (auto const& [what, column] : trace.columns) {
        if (what == column && what != "arrival") continue;
        out += what == column ? "; " + column + " is" : fmt::format("; {} is {}", column, what);
        if (what != "arrival") continue;
        out += trace.times == TraceTimes::of_clock ? " in rounds, on a clock in nanoseconds"
                                                   : " in " + trace.times_as;
    }
    if (trace.times == TraceTimes::none) out += "; no times, all arrive at 0";
    if (!trace.ascending) out += "; rows are not in the order of time";
    if (!trace.unused.empty()) {
        out += "; not used: ";
        for (auto const& name : trace.unused)
            out += (&name == &trace.unused.front() ? "" : ", ") +
                   (name.empty() ? "a column without a name" : name.substr(0, 40));
    }
    return out;
}

} // namespace crx
