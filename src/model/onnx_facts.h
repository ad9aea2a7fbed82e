// Facts of the ONNX standard that several rooms need. Source: onnx/docs/IR.md.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::model {

// The domain of ONNX's own operators. Models and nodes may also spell it "".
inline constexpr std::string_view kDefaultDomain = "ai.onnx";
inline bool is_default_domain(std::string_view domain) {
  return domain.empty() || domain == kDefaultDomain;
}
// Returns the domain in the spelling of ONNX's schemas, in which equal domains are equal: "" for the default domain.
inline std::string domain_key(std::string_view domain) {
  return std::string(is_default_domain(domain) ? "" : domain);
}
// Returns the domain in the spelling for people: "ai.onnx" for the default domain.
inline std::string domain_name(std::string_view domain) {
  return std::string(domain.empty() ? kDefaultDomain : domain);
}

// Returns the version of the domain's operator set that a model or a function imports, or 0 if it imports none.
// default_opset() in model.h does this for the default domain.
template <class ModelOrFunction>
int opset_version(const ModelOrFunction& importer, std::string_view domain) {
  const std::string key = domain_key(domain);
  for (const onnx::OperatorSetIdProto& import : importer.opset_import()) {
    if (domain_key(import.domain()) == key) return static_cast<int>(import.version());
  }
  return 0;
}

// The first IR version in which an initializer of the outer graph doesn't have to be a graph input as well.
inline constexpr std::int64_t kFreeInitializers = 4;
inline bool initializers_are_inputs(const onnx::ModelProto& model) {
  return model.ir_version() < kFreeInitializers;
}

}  // namespace assay::model
