#include "reduce/passes/replace_output.h"

namespace assay::reduce {

void replace_output(const Place& place, const std::string& output, const std::string& other, bool through_identity,
                    edit::ReplaceNode& replace, edit::ModelChange& change) {
  if (through_identity) {
    onnx::NodeProto& identity = replace.with.emplace_back();
    identity.set_op_type("Identity");
    identity.add_input(other);
    identity.add_output(output);
    return;
  }
  change.primitives.emplace_back(edit::RenameUses{place.path, output, other});
}

}  // namespace assay::reduce
