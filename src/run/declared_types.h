// Outputs in the types that the model declares.
//
// Some engines lack a type: MNN has no int64 and returns int32. Its worker accepts such an array if the values fit the
// declared type (assay_python/outputs.py), and this class converts it, so that it can be compared with the other side
// and fed to later nodes. A warning is logged once for each pair of types.
#pragma once

#include <set>
#include <span>
#include <string>
#include <tuple>

#include "base/error.h"
#include "base/log.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::run {

// Returns whether outputs should be converted. False for the reference evaluator: the type that it returns is part of
// the answer, which the comparison judges.
bool returns_declared_types(const worker::EngineSpec& engine);

class DeclaredTypes {
 public:
  // Converts `outputs` to the types of `ports`, matched by name. Errors: engine, naming the tensor and both types, if a
  // value can't be converted (a string, say).
  base::Status convert(tensor::NamedTensors& outputs, std::span<const worker::Port> ports, const std::string& runner,
                       base::Log& log);

 private:
  std::set<std::tuple<std::string, tensor::ElementType, tensor::ElementType>> warned_;
};

}  // namespace assay::run
