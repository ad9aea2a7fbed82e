#include "tests/engines/node_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/list_first.h"
#include "base/strings.h"

namespace assay::test {
namespace {

using base::ErrorKind;

// "TensorRT 10.6.0" -> "TensorRT"
std::string without_version(const std::string& engine) {
  return engine.substr(0, engine.rfind(' '));
}

// Returns the place of the engine's column, which is added if there is none.
std::size_t place_of(const std::string& engine, NodeRecord& record) {
  const auto found = std::ranges::find(record.engines, without_version(engine), without_version);
  const auto place = static_cast<std::size_t>(found - record.engines.begin());
  if (found == record.engines.end()) {
    record.engines.push_back(engine);
    for (auto& [name, results] : record.results) results.emplace_back("ok");
  }
  record.engines[place] = engine;
  return place;
}

}  // namespace

base::Expected<NodeRecord> read_printed(const std::filesystem::path& file) {
  ASSAY_ASSIGN(const std::string text, base::read_file(file));
  NodeRecord record;
  for (const std::string& line : base::split(text, '\n')) {
    const std::size_t space = line.find(' ');
    const std::size_t colon = line.find(": ");
    if (line.starts_with("TensorRT ") && colon != std::string::npos) {
      record.engines = {line.substr(0, colon)};
    } else if (line.starts_with("test_") && space != std::string::npos && colon == std::string::npos) {
      record.results[line.substr(0, space)] = {std::string(base::trim(line.substr(space)))};
    }
  }
  record.tests = record.results.size();
  return record;
}

base::Expected<NodeRecord> read_results(const std::filesystem::path& file) {
  ASSAY_ASSIGN(NodeRecord record, read_printed(file));
  if (!record.engines.empty()) return record;
  return base::fail(ErrorKind::invalid_input,
                    "no line with the engine's version, which is the last one that is printed", file.string());
}

base::Status add_column(const std::vector<std::string>& tests, const NodeRecord& column, NodeRecord& record) {
  if (record.tests != tests.size()) {
    return base::fail(ErrorKind::invalid_input,
                      fmt::format("the table is about {} tests, and there are {}", record.tests, tests.size()), "",
                      "Write the table with the other engines first");
  }
  std::vector<std::string> missing;
  for (const std::string& test : tests) {
    if (!column.results.contains(test)) missing.push_back(test);
  }
  if (!missing.empty()) {
    return base::fail(ErrorKind::invalid_input, "some tests have no result",
                      base::list_first(std::move(missing), 3, ", "),
                      "Run the rest with --known FILE, and give what that prints");
  }
  const std::size_t place = place_of(column.engines.at(0), record);
  for (const std::string& test : tests) {
    auto& results = record.results.try_emplace(test, record.engines.size(), "ok").first->second;
    results[place] = column.results.at(test).at(0);
  }
  return {};
}

}  // namespace assay::test
