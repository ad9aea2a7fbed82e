#include "tests/engines/compare_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "tests/support/processor.h"

namespace assay::test {
namespace {

// Tests whose results depend on the processor: without instructions for bfloat16, OpenVINO may round to it in another
// way, so that the outputs are wrong. The table was written on a processor that has them.
constexpr std::array<std::string_view, 4> kRoundedToBfloat16 = {
    "test_cast_FLOAT_to_BFLOAT16",
    "test_castlike_FLOAT_to_BFLOAT16",
    "test_castlike_FLOAT_to_BFLOAT16_expanded",
    "test_celu_bfloat16_expanded",
};

bool depends_on_processor(const std::string& test, const std::string& engine) {
  return !has_bfloat16() && engine.starts_with("OpenVINO") &&
         std::ranges::find(kRoundedToBfloat16, test) != kRoundedToBfloat16.end();
}

}  // namespace

std::vector<std::string> differences(const NodeRecord& record, const NodeRecord& now) {
  std::vector<std::string> found;
  std::vector<std::size_t> columns;  // by engine, that in the record
  for (const std::string& engine : now.engines) {
    const auto at = std::ranges::find(record.engines, engine);
    columns.push_back(static_cast<std::size_t>(at - record.engines.begin()));
    if (at != record.engines.end()) continue;
    found.push_back(fmt::format("the table has no column for {}: write it again with --write", engine));
  }
  const std::vector<std::string> passed(record.engines.size(), "ok");
  for (const auto& [name, results] : now.results) {
    const auto at = record.results.find(name);
    const std::vector<std::string>& expected = at == record.results.end() ? passed : at->second;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string recorded = columns[i] < expected.size() ? expected[columns[i]] : "";
      if (results[i] == recorded) continue;
      if (results[i] == "wrong" && depends_on_processor(name, now.engines[i])) continue;
      found.push_back(
          fmt::format("{}: {} ended with '{}', recorded is '{}'", name, now.engines[i], results[i], recorded));
    }
  }
  for (const auto& [name, results] : record.results) {
    if (!now.results.contains(name)) found.push_back(fmt::format("{}: recorded, but there is no such test", name));
  }
  if (record.tests != now.tests) {
    found.push_back(fmt::format("{} tests are recorded, but there are {}", record.tests, now.tests));
  }
  return found;
}

}  // namespace assay::test
