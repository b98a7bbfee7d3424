#include "host/build_info.hh"

#include "host/build_commit.hh"

namespace crx {

BuildInfo const& build_info()
{
    static BuildInfo const info{CRX_VERSION, CRX_COMMIT, CRX_BUILD_TYPE};
    return info;
}

std::string build_text()
{
    auto const& info = build_info();
    return "crx " + info.version + ", commit " + info.commit + ", build type " + info.build_type;
}

} // namespace crx
