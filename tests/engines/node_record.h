// The table in docs/engines.md: the result of each engine on each node test that not all of them pass.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace assay::test {

struct NodeRecord {
  std::vector<std::string> engines;                         // "ONNX Runtime 1.31.1", columns
  std::map<std::string, std::vector<std::string>> results;  // by test, by engine
  std::size_t tests = 0;                                    // how many, including those that are not in `results`
};

// Reads the table between its markers, and counts the tests by the summary before it. Tests that all engines pass are
// not in the table.
base::Expected<NodeRecord> read_record(const std::filesystem::path& page);
// Replaces the table and the summary before it.
base::Status write_record(const std::filesystem::path& page, const NodeRecord& record);

}  // namespace assay::test
