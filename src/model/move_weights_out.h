// Which weights a model keeps in files beside it, and where in them: the plan of a save with external data.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "model/external_data.h"
#include "model/save.h"

namespace assay::model {

struct PlacedWeight {
  std::variant<std::string, FileRange> values;  // bytes that were in the message, or where they lie now
  std::uint64_t offset = 0;                     // in the new file
};

struct WeightsFile {
  std::string name;                   // relative to the model
  std::vector<PlacedWeight> weights;  // in rising order of offset
};

struct MovedWeights {
  onnx::ModelProto
      proto;  // the model with its moved tensors referring to `files`, all others by reference marked as inline
  std::vector<WeightsFile> files;
};

// `model_name` is the file name of the model that is to be saved, which no weights file may have.
base::Expected<MovedWeights> move_weights_out(const Model& model, const SaveOptions& options,
                                              const std::string& model_name);

}  // namespace assay::model
