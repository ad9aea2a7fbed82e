#include "locate/note_on_outputs.h"

#include <vector>

#include "base/strings.h"
#include "edit/non_tensors.h"

namespace assay::locate {

std::string note_on_outputs(const onnx::GraphProto& graph) {
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& output : graph.output()) {
    if (!edit::may_be_tensor(output.type())) names.push_back("'" + output.name() + "'");
  }
  if (names.empty()) return {};
  if (names.size() == 1) return "output " + names.front() + " isn't a tensor, and was not compared";
  return "outputs " + base::join(names, ", ") + " aren't tensors, and were not compared";
}

}  // namespace assay::locate
