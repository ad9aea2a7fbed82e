// Tells whether saved outputs of a model can judge a smaller model that was cut from it.
//
// A run compares outputs of the same name. One whose name wasn't saved is compared with another tensor instead, with a
// similar name or at the same position (compare/match_outputs.h). And an input that the smaller model has in place of
// removed nodes needs the value that these nodes computed, which a generator doesn't know. In both cases outputs
// differ, although nothing is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/mark_outputs.h"
#include "model/model.h"

namespace assay::run {

struct SavedReferenceSetup {
  std::vector<std::string> outputs;  // names of those that were saved
  edit::MarkOptions marks{};         // which tensors the run makes outputs
  // The names of the inputs that the run loads. Absent if it generates them: each then depends on those before it.
  std::optional<std::vector<std::string>> loaded_inputs{};
};

class SavedReference {
 public:
  // `whole`: the model whose outputs were saved.
  SavedReference(SavedReferenceSetup setup, const model::Model& whole);

  // Returns why the run can't judge this model by the saved outputs: "its output 'x' wasn't saved". Returns nothing if
  // it can.
  [[nodiscard]] std::optional<std::string> why_not(const model::Model& model) const;
  // Returns why the run can't even start: it loads its inputs, but not all that the model has.
  [[nodiscard]] std::optional<std::string> find_missing_input(const model::Model& model) const;

 private:
  [[nodiscard]] std::optional<std::string> find_other_input(const model::Model& model) const;
  [[nodiscard]] std::optional<std::string> find_unknown_output(const model::Model& model) const;

  SavedReferenceSetup setup_;
  std::vector<std::string> inputs_;  // of the whole model
};

}  // namespace assay::run
