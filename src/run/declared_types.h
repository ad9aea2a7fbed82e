// Outputs in the types that the model declares.
//
// Some engines lack a type: MNN knows no int64 and returns int32. Its worker lets such an array through if the values
// fit the declared type (assay_python/outputs.py), and here it is converted, so that it can be compared with the other
// side and fed to the nodes behind it. The user is told once for each pair of types.
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

// False for the reference evaluator: the type that it returns is an answer, which the comparison is to judge.
bool returns_declared_types(const worker::EngineSpec& engine);

class DeclaredTypes {
 public:
  // `outputs` by the names of `ports`. Errors: kind engine, naming the tensor, the declared type and the given one, if
  // a value can't be converted (a string, say).
  base::Status convert(tensor::NamedTensors& outputs, std::span<const worker::Port> ports, const std::string& runner,
                       base::Log& log);

 private:
  std::set<std::tuple<std::string, tensor::ElementType, tensor::ElementType>> said_;
};

}  // namespace assay::run
