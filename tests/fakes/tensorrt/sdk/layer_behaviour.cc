#include "layer_behaviour.h"

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

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

template <class Function>
Function* find_in_clock(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr) break_rule(std::string("layers take time, and the test hasn't preloaded a clock with ") + name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

void stop_clock() {
  if (!chosen_behaviours().empty()) find_in_clock<void()>("assay_fake_clock_stop")();
}

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
  find_in_clock<void(double)>("assay_fake_clock_move")(milliseconds);
  return true;
}

}  // namespace fake_tensorrt
