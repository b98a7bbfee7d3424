// First come, first served; when memory would overflow, all are cancelled.
//     g++ -O2 -o protect protect.cc
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

using Json = nlohmann::json;

int main()
{
    std::ios::sync_with_stdio(false);
    std::string line;
    std::getline(std::cin, line); // what the program says of itself
    std::cout << R"({"asks": "decisions", "version": "1"})" << std::endl;
    while (std::getline(std::cin, line)) {
        auto const now = Json::parse(line);
        if (now.contains("begin")) continue; // another instance
        auto free = now["free"].get<long>();
        auto waiting = now["waiting"];
        Json answer{{"cancel", Json::array()}, {"start", Json::array()}};
        if (now["overflow"]) {
            for (auto const& request : now["active"]) {
                answer["cancel"].push_back(request["id"]);
                waiting.push_back(request);
            }
            std::sort(waiting.begin(), waiting.end(), [](Json const& a, Json const& b) {
                return std::pair(a["arrival"], a["id"]) < std::pair(b["arrival"], b["id"]);
            });
            free = now["memory"];
        }
        for (auto const& request : waiting) {
            if ((free -= request["prompt"].get<long>() + 1) < 0) break;
            answer["start"].push_back(request["id"]);
        }
        std::cout << answer.dump() << std::endl;
    }
}
