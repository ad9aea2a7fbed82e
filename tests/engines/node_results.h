// Results that assay_node_tests has printed on another machine, such as one with a GPU, on which the other engines
// needn't be installed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/engines/node_record.h"

namespace assay::test {

// Reads the output of `assay_node_tests --tensorrt`, or of several runs, of which the last one that tells a result
// counts: lines such as "test_abs ok", and at the end a line that begins with the engine and its version. Other lines
// are skipped. A run that was stopped has no such line, so that `engines` may be empty. Errors: io.
base::Expected<NodeRecord> read_printed(const std::filesystem::path& file);

// The same. Errors: also invalid_input if the line with the engine is missing.
base::Expected<NodeRecord> read_results(const std::filesystem::path& file);

// Adds the results of one engine to a record as its last column, or replaces the column of that name without a version.
// `tests`: the names of all tests. Those that the record lacks have passed in its engines. Errors: invalid_input if the
// record was made with other tests, or if a test has no result in `column`.
base::Status add_column(const std::vector<std::string>& tests, const NodeRecord& column, NodeRecord& record);

}  // namespace assay::test
