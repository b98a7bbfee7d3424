#include "oracle/witness/certificate.hh"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "oracle/bounds.hh"
#include "oracle/optimum.hh"
#include "oracle/witness/instances.hh"
#include "oracle/witness/side.hh"

namespace oracle {
namespace {

using Json = nlohmann::json;

/// What all instances of a shard, or of a part of one, have shown.
struct Totals
{
    std::int64_t multisets = 0, instances = 0, unfinished = 0, endless = 0, at_maximum = 0;
    std::optional<Fraction> maximum;
    std::uint64_t hash = 0; ///< the sum of the instances' hashes

    void add(Totals const& other)
    {
        multisets += other.multisets;
        instances += other.instances;
        unfinished += other.unfinished;
        endless += other.endless;
        hash += other.hash;
        if (!other.maximum) return;
        if (!maximum || *other.maximum > *maximum) {
            maximum = other.maximum;
            at_maximum = 0;
        }
        if (*other.maximum == *maximum) at_maximum += other.at_maximum;
    }
};

std::string line_of(std::vector<Request> const& requests, std::string const& numerator,
                    std::string const& denominator)
{
    std::string line;
    for (Request const& r : requests) {
        if (!line.empty()) line += ';';
        line += std::to_string(r.arrival) + ' ' + std::to_string(r.prompt) + ' ' +
                std::to_string(r.output) + ' ' + std::to_string(r.lower) + ' ' +
                std::to_string(r.upper);
    }
    return line + '|' + numerator + '|' + denominator + '\n';
}

std::uint64_t fnv_1a(std::string const& text)
{
    std::uint64_t hash = 14695981039346656037u;
    for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

class Check
{
  public:
    Check(Json const& range, CheckLimits const& limits)
        : above_(range.at("numerator")), limits_(limits)
    {
        range_.requests = range.at("requests");
        range_.memory = range.at("memory");
        range_.last_arrival = range.value("last_arrival", std::int64_t{0});
        range_.restriction = range.at("class");
        range_.told = range.at("told");
        if (range_.requests < 1 || range_.requests > 20 || range_.memory < 1 ||
            range_.memory > 1000 || range_.last_arrival < 0 || range_.last_arrival > 1000)
            throw Fault("the range is too large, or empty");
        if (range_.told == "common") {
            Fraction const alpha = fraction_of(range.at("interval"));
            range_.alpha_numerator = static_cast<std::int64_t>(numerator(alpha));
            range_.alpha_denominator = static_cast<std::int64_t>(denominator(alpha));
        }
        if (range.at("denominator").is_string())
            over_ = range["denominator"];
        else
            below_ = range["denominator"];
        if (over_ != "opt" && over_ != "volume" && below_.is_null())
            throw Fault("the denominator is neither opt nor volume nor a policy");
        lists_ = request_lists(range_);
        count_ = count_multisets(lists_, range_.requests);
    }

    std::int64_t count() const { return count_; }

    /// Multisets `first` .. `end` - 1, dealt to threads.
    Totals run(std::int64_t first, std::int64_t end)
    {
        Totals totals;
        std::exception_ptr error;
        std::mutex mutex;
        std::vector<std::thread> threads;
        for (int k = 0; k < limits_.threads; ++k)
            threads.emplace_back([&, k] {
                Totals own;
                try {
                    for_each_multiset(lists_, range_.requests,
                                      [&](std::int64_t rank, Multiset const& multiset) {
                                          if (rank < first || rank >= end) return;
                                          if (rank / 16 % limits_.threads != k) return;
                                          if (rank % 1024 == 0)
                                              look_around(rank - first, end - first);
                                          add_multiset(multiset, own);
                                      });
                } catch (...) {
                    std::lock_guard const lock(mutex);
                    error = std::current_exception();
                }
                std::lock_guard const lock(mutex);
                totals.add(own);
            });
        for (std::thread& thread : threads) thread.join();
        if (error) std::rethrow_exception(error);
        return totals;
    }

  private:
    void look_around(std::int64_t now, std::int64_t of) const
    {
        if (limits_.stop && limits_.stop()) throw Fault("stopped before the end");
        if (limits_.progress) limits_.progress(now, of);
    }

    bool matters(Request const& a, Request const& b) const
    {
        return place_matters(above_.at("policy"), a, b) ||
               (!below_.is_null() && place_matters(below_.at("policy"), a, b));
    }

    /// The optimum or the volume bound, which no order changes.
    std::int64_t common_denominator(Multiset const& multiset) const
    {
        std::int64_t const bound = release_bound(multiset, range_.memory);
        if (over_ == "volume") return bound;
        std::int64_t const known = simulate({"mc-sf"}, multiset, range_.memory, 0, 0).total_latency;
        if (known == bound) return known;
        Exhaustion const all = exhaust(multiset, range_.memory, known, limits_.states);
        if (!all.finished) throw Fault("an optimum takes more states than allowed");
        return all.below ? *all.below : known;
    }

    void add_multiset(Multiset const& multiset, Totals& totals) const
    {
        ++totals.multisets;
        std::optional<Fraction> common;
        if (below_.is_null()) common = common_denominator(multiset);
        for_each_order(
            multiset, [this](Request const& a, Request const& b) { return matters(a, b); },
            [&](std::vector<Request> const& order) { add_instance(order, common, totals); });
    }

    /// What a policy's side is, and its text in the line that is hashed.
    std::optional<Fraction> side(Json const& policy, std::vector<Request> const& requests,
                                 std::string& text) const
    {
        try {
            auto const latency = exact_latency(policy, requests, range_.memory);
            text = latency ? text_of(*latency) : "-";
            return latency;
        } catch (Endless const&) {
            text = "~";
            return std::nullopt;
        }
    }

    void add_instance(std::vector<Request> const& requests, std::optional<Fraction> const& common,
                      Totals& totals) const
    {
        ++totals.instances;
        std::string above_text, below_text = common ? text_of(*common) : "";
        auto const above = side(above_, requests, above_text);
        auto const below = common ? common : side(below_, requests, below_text);
        totals.hash += fnv_1a(line_of(requests, above_text, below_text));
        if (!above || !below) {
            bool const endless = above_text == "~" || below_text == "~";
            (endless ? totals.endless : totals.unfinished) += 1;
            return;
        }
        Totals here;
        here.maximum = *above / *below;
        here.at_maximum = 1;
        totals.add(here);
    }

    Json above_, below_; ///< below_: null where over_ says what the denominator is
    std::string over_;
    CheckLimits const& limits_;
    InstanceRange range_;
    std::vector<std::vector<Request>> lists_;
    std::int64_t count_ = 0;
};

void must_be(char const* what, std::string const& found, std::string const& said)
{
    if (found != said) throw Fault(std::string(what) + " is " + found + ", the file says " + said);
}

} // namespace

std::string check_certificate(Json const& certificate, CheckLimits const& limits)
{
    check_checksum(certificate);
    if (!certificate.value("complete", false))
        throw Fault("it is not complete: the command that wrote it goes on with it");
    Check check(certificate.at("range"), limits);
    std::int64_t const first = certificate.at("first"), end = certificate.at("end");
    if (first < 0 || end < first || end > check.count()) throw Fault("no such part of the range");
    Totals const totals = check.run(first, end);
    Json const& counts = certificate.at("counts");
    auto const count = [&](char const* what, std::int64_t found) {
        must_be(what, std::to_string(found), counts.at(what).dump());
    };
    count("multisets", totals.multisets);
    count("instances", totals.instances);
    count("unfinished", totals.unfinished);
    count("endless", totals.endless);
    count("at_maximum", totals.at_maximum);
    must_be("the maximum", totals.maximum ? text_of(*totals.maximum) : "none",
            certificate.at("maximum"));
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(totals.hash));
    must_be("the hash", hash, certificate.at("hash"));
    for (Json const& witness : certificate.at("witnesses")) {
        must_be("the ratio of a witness", witness.at("ratio"), certificate["maximum"]);
        must_be("M of a witness", witness.at("numerator").at("memory").dump(),
                certificate["range"]["memory"].dump());
        must_be("n of a witness", std::to_string(requests_of(witness).size()),
                certificate["range"]["requests"].dump());
        check_witness(witness, limits);
    }
    return std::to_string(totals.instances) + " instances of " + std::to_string(totals.multisets) +
           " multisets, maximum " + certificate["maximum"].get<std::string>() + " on " +
           std::to_string(totals.at_maximum) + " of them" +
           (end - first < check.count() ? ", a part of the range" : "");
}

} // namespace oracle
