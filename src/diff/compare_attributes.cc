#include "diff/compare_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string_view>

#include "diff/describe.h"
#include "diff/equal_messages.h"

namespace assay::diff {
namespace {

// Compares everything but tensors and bodies. Floats are compared bit by bit, so a NaN equals itself.
bool equal_values(const onnx::AttributeProto& a, const onnx::AttributeProto& b) {
  const auto bits = [](const auto& floats) {
    return std::string_view(reinterpret_cast<const char*>(floats.data()),
                            static_cast<std::size_t>(floats.size()) * sizeof(float));
  };
  return a.i() == b.i() && std::bit_cast<std::uint32_t>(a.f()) == std::bit_cast<std::uint32_t>(b.f()) &&
         a.s() == b.s() && std::ranges::equal(a.ints(), b.ints()) && bits(a.floats()) == bits(b.floats()) &&
         std::ranges::equal(a.strings(), b.strings()) && a.ref_attr_name() == b.ref_attr_name() &&
         equal_bytes(a.tp(), b.tp()) && equal_messages(a.type_protos(), b.type_protos());
}

class AttributeComparison {
 public:
  AttributeComparison(Comparison& comparison, const Subject& subject) : comparison_(comparison), subject_(subject) {}

  base::Status both(const onnx::AttributeProto& a, const onnx::AttributeProto& b) {
    const bool same_sizes = a.tensors_size() == b.tensors_size() && a.graphs_size() == b.graphs_size() &&
                            a.sparse_tensors_size() == b.sparse_tensors_size();
    const std::string detail = fmt::format("attribute '{}'", a.name());
    if (!comparison_.ignore().doc_strings && a.doc_string() != b.doc_string()) {
      comparison_.note_changed(Aspect::doc, subject_, detail, quoted(a.doc_string()), quoted(b.doc_string()));
    }
    if (a.type() != b.type() || !same_sizes || !equal_values(a, b)) {
      std::string before = attribute_text(a), after = attribute_text(b);
      if (before == after) after += ", another value";
      comparison_.note_changed(Aspect::attribute, subject_, detail, std::move(before), std::move(after));
      return {};
    }
    if (a.has_t()) ASSAY_TRY(comparison_.compare_tensors(subject_, detail, a.t(), b.t()));
    for (int i = 0; i < a.tensors_size(); ++i) {
      ASSAY_TRY(comparison_.compare_tensors(subject_, fmt::format("{}[{}]", detail, i), a.tensors(i), b.tensors(i)));
    }
    if (a.has_sparse_tensor()) {
      ASSAY_TRY(compare_sparse(comparison_, subject_, detail, a.sparse_tensor(), b.sparse_tensor()));
    }
    for (int i = 0; i < a.sparse_tensors_size(); ++i) {
      ASSAY_TRY(compare_sparse(comparison_, subject_, fmt::format("{}[{}]", detail, i), a.sparse_tensors(i),
                               b.sparse_tensors(i)));
    }
    if (a.has_g()) bodies.push_back({&a.g(), &b.g(), a.name()});
    for (int i = 0; i < a.graphs_size(); ++i) {
      bodies.push_back({&a.graphs(i), &b.graphs(i), fmt::format("{}[{}]", a.name(), i)});
    }
    return {};
  }

  void one(const onnx::AttributeProto& attribute, Kind kind) {
    const std::string text = attribute_text(attribute);
    comparison_.note_changed(Aspect::attribute, subject_, fmt::format("attribute '{}'", attribute.name()),
                             kind == Kind::removed ? text : "absent", kind == Kind::removed ? "absent" : text);
  }

  std::vector<BodyPair> bodies;

 private:
  Comparison& comparison_;
  const Subject& subject_;
};

}  // namespace

base::Expected<std::vector<BodyPair>> compare_attributes(Comparison& comparison, const Subject& subject,
                                                         const Attributes& first, const Attributes& second) {
  AttributeComparison attributes(comparison, subject);
  std::map<std::string_view, const onnx::AttributeProto*> others;
  for (const onnx::AttributeProto& attribute : second) others.emplace(attribute.name(), &attribute);
  for (const onnx::AttributeProto& attribute : first) {
    const auto at = others.find(attribute.name());
    if (at == others.end()) {
      attributes.one(attribute, Kind::removed);
    } else {
      ASSAY_TRY(attributes.both(attribute, *at->second));
      others.erase(at);
    }
  }
  for (const auto& [name, attribute] : others) attributes.one(*attribute, Kind::added);
  return std::move(attributes.bodies);
}

base::Status compare_sparse(Comparison& comparison, const Subject& subject, const std::string& detail,
                            const onnx::SparseTensorProto& first, const onnx::SparseTensorProto& second) {
  if (!std::ranges::equal(first.dims(), second.dims())) {
    comparison.note_changed(Aspect::weight, subject, detail, fmt::format("sparse ({})", fmt::join(first.dims(), ", ")),
                            fmt::format("sparse ({})", fmt::join(second.dims(), ", ")));
    return {};
  }
  const std::string prefix = detail.empty() ? "" : detail + ", ";
  ASSAY_TRY(comparison.compare_tensors(subject, prefix + "stored values", first.values(), second.values()));
  return comparison.compare_tensors(subject, prefix + "indices", first.indices(), second.indices());
}

}  // namespace assay::diff
