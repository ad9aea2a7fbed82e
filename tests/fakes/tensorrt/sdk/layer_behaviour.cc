#include "layer_behaviour.h"

#include <chrono>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "misbehave.h"

namespace fake_tensorrt {
namespace {

std::map<std::string, std::string> chosen_behaviours() {
  const char* chosen = std::getenv("ASSAY_FAKE_TENSORRT_LAYERS");
  std::map<std::string, std::string> behaviours;
  std::istringstream entries(chosen == nullptr ? "" : chosen);
  for (std::string entry; std::getline(entries, entry, ',');) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) break_rule("ASSAY_FAKE_TENSORRT_LAYERS has an entry without '=': " + entry);
    behaviours[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return behaviours;
}

}  // namespace

bool behave_as_asked(const Graph& graph) {
  const auto behaviours = chosen_behaviours();
  if (behaviours.empty()) return true;
  double milliseconds = 0;
  for (const GraphLayer& layer : graph.layers) {
    const auto at = behaviours.find(layer.op);
    if (at == behaviours.end()) continue;
    if (at->second == "crash") crash();
    if (at->second == "hang") hang();
    if (at->second == "fail") return false;
    milliseconds += std::strtod(at->second.c_str(), nullptr);
  }
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
  return true;
}

}  // namespace fake_tensorrt
