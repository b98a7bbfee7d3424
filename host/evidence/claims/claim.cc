#include "host/evidence/claims/claim.hh"

#include "host/error.hh"
#include "host/input/text_file.hh"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace crx::claims {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> const methods{
    "exact identity", "exhaustion", "search",      "simulation with intervals",
    "closed form",    "proof",      "reproduction"};
std::vector<std::string> const papers{"JAILLET", "WANG", "CHEN", "AO"};

/// Place of the paper on a page; those of users come last.
std::size_t place_of(std::string const& paper)
{
    return static_cast<std::size_t>(std::ranges::find(papers, paper) - papers.begin());
}

/// Whether one id comes before another, numbers in them as numbers: "C-4.9" before "C-4.10".
bool earlier(std::string_view a, std::string_view b)
{
    auto const digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    while (!a.empty() && !b.empty()) {
        if (digit(a[0]) && digit(b[0])) {
            std::uint64_t x = 0, y = 0;
            auto const end_a = std::from_chars(a.data(), a.data() + a.size(), x).ptr;
            auto const end_b = std::from_chars(b.data(), b.data() + b.size(), y).ptr;
            if (x != y) return x < y;
            a.remove_prefix(static_cast<std::size_t>(end_a - a.data()));
            b.remove_prefix(static_cast<std::size_t>(end_b - b.data()));
            continue;
        }
        if (a[0] != b[0]) return digit(a[0]) || (!digit(b[0]) && a[0] < b[0]);
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    return b.size() > a.size();
}

std::string sentence(ConfigReader& reader, std::string const& key)
{
    auto text = reader.text(key);
    if (text.empty() || (text.back() != '.' && text.back() != '"'))
        reader.reject(key, *reader.find(key), "a sentence that ends with a full stop");
    return text;
}

std::vector<std::string> texts(ConfigReader& reader, std::string const& key)
{
    std::vector<std::string> all;
    auto const* list = reader.find(key);
    if (list == nullptr) return all;
    for (auto const& one : list->list) {
        if (one.kind != ConfigValue::Kind::text) reader.reject(key, one, "a list of texts");
        all.push_back(one.text);
    }
    return all;
}

} // namespace

Claim parse_claim(std::string const& text, fs::path const& file)
{
    auto const document = parse_toml(text, file.string(), {{}, {"trial"}});
    ConfigReader reader(document, "");
    Claim claim;
    claim.file = file;
    claim.id = reader.text("id");
    if (claim.id.empty() || claim.id.find_first_of(" /\n\t") != std::string::npos)
        reader.reject("id", *reader.find("id"), "a word without spaces and slashes");
    claim.paper = reader.text("paper", "");
    claim.place = reader.text("place", "");
    claim.version = reader.text("version", "");
    claim.statement = sentence(reader, "statement");
    claim.hypotheses = texts(reader, "hypotheses");
    claim.reading = reader.text("reading", "");
    claim.unprinted = reader.text("unprinted", "");
    std::vector<std::string> names;
    for (auto const verdict : all_verdicts()) names.emplace_back(name_of(verdict));
    auto const word = reader.choice("verdict", names, "open");
    claim.verdict =
        all_verdicts()[static_cast<std::size_t>(std::ranges::find(names, word) - names.begin())];
    claim.method = reader.choice("method", methods, "simulation with intervals");
    claim.evidence = reader.text("evidence", "");
    claim.command = reader.text("command", "crx claims " + claim.id + " --run");
    claim.page = reader.text("page", "");
    claim.witness = reader.text("witness", "");
    if (auto const* list = reader.find("trial")) {
        if (list->kind != ConfigValue::Kind::list)
            reader.reject("trial", *list, written_with_two_brackets("trial"));
        for (std::size_t k = 0; k < list->list.size(); ++k)
            claim.trials.push_back(read_trial(list->list[k], "trial[" + std::to_string(k) + "]",
                                              fs::absolute(file).parent_path()));
    }
    reader.finish();
    bool const testable = claim.verdict != Verdict::not_testable;
    if (claim.trials.empty() == testable)
        throw ConfigError(file.string(), "trial", testable ? "none" : "some",
                          testable ? "at least one [[trial]], or verdict = \"not testable\""
                                   : "left out of a claim that is not testable");
    if (std::ranges::none_of(claim.trials,
                             [](auto const& t) { return t.role == Role::statement; }) &&
        testable)
        throw ConfigError(file.string(), "trial", "no trial of the statement itself",
                          "at least one without `of`, or with of = \"statement\"");
    if ((claim.verdict == Verdict::proved || claim.verdict == Verdict::sharpened) &&
        claim.page.empty())
        throw ConfigError(file.string(), "page", "", "the page that has the proof");
    return claim;
}

Claim read_claim(fs::path const& file)
{
    constexpr std::size_t most_bytes = 1u << 20;
    return parse_claim(read_whole_file(file, most_bytes), file);
}

std::vector<Claim> read_claims(fs::path const& folder)
{
    std::vector<fs::path> files;
    for (auto const& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::ranges::sort(files);
    if (files.empty())
        throw InputError(folder.string() + ": no claims (*.toml) are in this folder");
    std::vector<Claim> all;
    for (auto const& file : files) all.push_back(read_claim(file));
    std::ranges::stable_sort(all, [](Claim const& a, Claim const& b) {
        auto const x = place_of(a.paper), y = place_of(b.paper);
        if (x != y) return x < y;
        return a.paper != b.paper ? a.paper < b.paper : earlier(a.id, b.id);
    });
    for (auto const& one : all)
        for (auto const& other : all)
            if (&one < &other && one.id == other.id)
                throw ConfigError(one.file.string(), "id", one.id,
                                  "one that no other file has; " + other.file.string() + " has it");
    return all;
}

fs::path claims_folder()
{
    std::error_code none;
    auto const program = fs::read_symlink("/proc/self/exe", none).parent_path();
    for (auto const& folder :
         {program / "claims", program.parent_path() / "claims",
          program.parent_path() / "share/crx/claims", fs::path(CRX_SOURCE_FOLDER) / "claims"})
        if (fs::is_directory(folder, none)) return folder;
    throw InputError(
        "the folder claims is not beside the program, in share/crx of its prefix or in "
        "its clone\n  crx claims FOLDER reads another");
}

std::vector<Claim> const& all_claims()
{
    static std::vector<Claim> const all = read_claims(claims_folder());
    return all;
}

namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 9> verdict_names{{
    {Verdict::proved, "proved"},
    {Verdict::sharpened, "sharpened"},
    {Verdict::holds, "holds"},
    {Verdict::loose, "loose"},
    {Verdict::open, "open"},
    {Verdict::broken_in_some_readings, "broken in some readings"},
    {Verdict::broken_as_printed, "broken as printed"},
    {Verdict::broken, "broken"},
    {Verdict::not_testable, "not testable"},
}};

/// Outcomes of all trials of a role, in one reading where one is given.
struct Tally
{
    int trials = 0, kept = 0, missed = 0;

    Tally(Claim const& claim, std::vector<TrialResult> const& results, Role role,
          std::string const* reading = nullptr)
    {
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (claim.trials[k].role != role) continue;
            if (reading != nullptr && claim.trials[k].reading != *reading) continue;
            ++trials;
            kept += results[k].outcome == Outcome::kept ? 1 : 0;
            missed += results[k].outcome == Outcome::missed ? 1 : 0;
        }
    }
    bool all_kept() const { return trials > 0 && kept == trials; }
};

} // namespace

std::string_view name_of(Verdict verdict)
{
    return std::ranges::find(verdict_names, verdict, &std::pair<Verdict, std::string_view>::first)
        ->second;
}

std::vector<Verdict> const& all_verdicts()
{
    static std::vector<Verdict> const all = [] {
        std::vector<Verdict> list;
        for (auto const& [verdict, name] : verdict_names) list.push_back(verdict);
        return list;
    }();
    return all;
}

Judgement judge(Claim const& claim, std::vector<TrialResult> results)
{
    Judgement out;
    std::vector<std::string> readings;
    for (auto const& trial : claim.trials)
        if (trial.role == Role::statement &&
            std::ranges::find(readings, trial.reading) == readings.end())
            readings.push_back(trial.reading);
    int kept = 0;
    for (auto const& reading : readings) {
        Tally const in(claim, results, Role::statement, &reading);
        if (in.missed > 0) out.broken_in.push_back(reading);
        if (in.all_kept()) ++kept;
    }
    Tally const correction(claim, results, Role::correction),
        sharper(claim, results, Role::sharper), tight(claim, results, Role::tight);
    auto const missed = std::ssize(out.broken_in), all = std::ssize(readings);
    auto const corrected = correction.all_kept();
    if (claim.trials.empty())
        out.found = claim.verdict == Verdict::not_testable ? Verdict::not_testable : Verdict::open;
    else if (missed > 0 && missed == all)
        out.found = corrected ? Verdict::broken_as_printed : Verdict::broken;
    else if (missed > 0)
        out.found = claim.unprinted.empty() ? Verdict::broken_in_some_readings : Verdict::open;
    else if (kept < all || correction.missed > 0 || sharper.missed > 0)
        out.found = Verdict::open;
    else if (sharper.all_kept())
        out.found = Verdict::sharpened;
    else if (claim.method == "proof")
        out.found = Verdict::proved;
    else
        out.found = tight.missed > 0 ? Verdict::loose : Verdict::holds;
    out.results = std::move(results);
    return out;
}

} // namespace crx::claims
