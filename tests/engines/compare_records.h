// Compares the results of ONNX's node tests with the table in docs/engines.md.
#pragma once

#include <string>
#include <vector>

#include "tests/engines/node_record.h"

namespace assay::test {

// Returns a line for each result of `now` that isn't as recorded, and for each test that only one of them has. A test
// that all engines pass is only counted in a record, so if one is missing, the numbers of tests differ. Columns of the
// record whose engine didn't run are ignored.
std::vector<std::string> differences(const NodeRecord& record, const NodeRecord& now);

}  // namespace assay::test
