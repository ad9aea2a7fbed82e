#include "run/engine_files.h"

#include <array>

#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

struct Row {
  std::string_view setting;
  std::string_view what;
};
constexpr std::array kRows = {
    Row{"--save-engine", "the engine"},
    Row{"--save-tactics", "the tactics"},
    Row{"--save-timing-cache", "the timing cache"},
};

}  // namespace

std::vector<EngineFile> engine_files(const EngineSetup& engine) {
  std::vector<EngineFile> files;
  for (const Row& row : kRows) {
    const auto setting = engine.spec.options.find(std::string(row.setting));
    if (setting == engine.spec.options.end()) continue;
    if (const auto given = tensorrt::decode_settings({*setting})) files.push_back({row.what, given->word(row.setting)});
  }
  return files;
}

}  // namespace assay::run
