#pragma once

#include "host/experiment/policy_parameters.hh"
#include "host/experiment/policy_process.hh"
#include "kernels/policies/host_policy.hh"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace crx {

/// The name of a policy that another program is (docs/own-policies.md).
inline constexpr char const* program_id = "program";

/// It as an experiment file gives it.
struct ProgramPlan
{
    ProgramCommand command;
    bool knows_lengths = false; ///< whether true lengths are sent
};

/// What a program says of itself in its first line.
struct ProgramHello
{
    bool orders = false;       ///< asks for whole instances; else for decisions
    bool wants_lists = true;   ///< of waiting and active requests, with each decision
    bool wants_lengths = true; ///< where it may know them
    std::string version;
};

/// A user's program as a policy: one process for each thread that runs it, started when it is first
/// needed. docs/protocol.md#a-policy-that-is-a-program.
class ProgramPolicy : public HostPolicy
{
  public:
    explicit ProgramPolicy(ProgramPlan const& plan);
    ~ProgramPolicy() override;

    /// Throws PolicyError: what the program did wrong, with request and round, and its last words.
    Outcome run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                ScheduleLog const& log) const override;
    /// Command, a hash of every file that it names, and the version that the program states: starts
    /// it. Throws PolicyError.
    std::vector<std::pair<std::string, std::string>> identity() const override;

  private:
    struct Running;
    class Loan;
    std::unique_ptr<Running> begin() const;

    ProgramPlan plan_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Running>> idle_;
};

/// Of a [[policy]] table; words that name files start in `folder`. Throws InputError.
ProgramPlan read_program(ConfigReader& reader, std::filesystem::path const& folder);

/// Of --command, --knows-lengths and --timeout. A command is a list as in a file, or words between
/// spaces. Throws ConfigError.
ProgramPlan program_argument(PolicyParameters const& given);

} // namespace crx
