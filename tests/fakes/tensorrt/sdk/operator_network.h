// How the fake parser adds operators for which the fake has no layer of TensorRT's own interface. The functions are
// virtual, since the parser is another library and can't be linked with the network.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "infer_stubs.h"

namespace fake_tensorrt {

class OperatorNetwork : public nvinfer1::apiv::stubs::VNetworkDefinition {
 public:
  [[nodiscard]] virtual bool knows_operator(const char* op) const = 0;
  // Returns null if the operator doesn't take these inputs.
  virtual nvinfer1::ILayer* add_operator(const char* op, const std::map<std::string, std::vector<double>>& attributes,
                                         const std::vector<nvinfer1::ITensor*>& inputs) = 0;
};

// Returns the fake behind a public object of the fake.
inline OperatorNetwork& operator_network(nvinfer1::INetworkDefinition& network) {
  struct Peek : nvinfer1::INetworkDefinition {
    static nvinfer1::apiv::VNetworkDefinition* implementation(nvinfer1::INetworkDefinition& of) {
      return of.*(&Peek::mImpl);
    }
  };
  return static_cast<OperatorNetwork&>(*Peek::implementation(network));
}

}  // namespace fake_tensorrt
