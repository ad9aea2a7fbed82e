// The state that all parts of a comparison share: the two models, the differences to ignore, and the list of changes.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>
#include <onnx/onnx_pb.h>

#include <string>
#include <utility>
#include <vector>

#include "diff/diff_models.h"
#include "diff/model_diff.h"
#include "diff/tensor_prints.h"

namespace assay::diff {

// The two counterparts that a change is about, and their graph.
struct Subject {
  std::string graph;
  Item first, second;
};

class Comparison {
 public:
  Comparison(const model::Model& first, const TensorPrints& first_prints, const model::Model& second,
             const TensorPrints& second_prints, const Ignore& ignore)
      : first_(first), second_(second), first_prints_(first_prints), second_prints_(second_prints), ignore_(ignore) {}

  [[nodiscard]] const model::Model& first() const { return first_; }
  [[nodiscard]] const model::Model& second() const { return second_; }
  [[nodiscard]] const TensorPrints& first_prints() const { return first_prints_; }
  [[nodiscard]] const TensorPrints& second_prints() const { return second_prints_; }
  [[nodiscard]] const Ignore& ignore() const { return ignore_; }
  // Returns the changes by aspect, in the order in which they were found.
  [[nodiscard]] std::vector<Change> take() &&;

  // Each adds a change.
  void note_added(Aspect aspect, const std::string& graph, Item item, std::string after = {});
  void note_removed(Aspect aspect, const std::string& graph, Item item, std::string before = {});
  void note_changed(Aspect aspect, const Subject& subject, std::string detail, std::string before, std::string after);

  // Each adds a change if the two differ and the difference counts.
  void compare_texts(Aspect aspect, const Subject& subject, const std::string& detail, const std::string& before,
                     const std::string& after);
  void compare_names(const Subject& subject, const std::string& before, const std::string& after);
  void compare_docs(const Subject& subject, const std::string& before, const std::string& after);
  using Entries = google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>;
  void compare_entries(const Subject& subject, const std::string& what, const Entries& before, const Entries& after);
  // Compares type, shape and values. Errors: those of measure_change().
  base::Status compare_tensors(const Subject& subject, const std::string& detail, const onnx::TensorProto& before,
                               const onnx::TensorProto& after);

 private:
  const model::Model& first_;
  const model::Model& second_;
  const TensorPrints& first_prints_;
  const TensorPrints& second_prints_;
  const Ignore& ignore_;
  std::vector<Change> changes_;
};

}  // namespace assay::diff
