// The table of docs/engines.md: how each engine does on each node test that not all of them pass.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace assay::test {

struct NodeRecord {
  std::vector<std::string> engines;                         // "ONNX Runtime 1.31.1", columns
  std::map<std::string, std::vector<std::string>> results;  // by test, by engine
};

// What lies between the lines that mark the table. Tests that all engines pass are not in it.
base::Expected<NodeRecord> read_record(const std::filesystem::path& page);
// Replaces it, with a summary before it.
base::Status write_record(const std::filesystem::path& page, const NodeRecord& record);

}  // namespace assay::test
