// To add an entry, add a row with the link of a public report that describes the failure, and a case to
// known_issues_test.cc.
#include "diagnose/known_issues.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "blame/judge_versions.h"
#include "model/load.h"

namespace assay::diagnose {
namespace {

void add_operators(const model::Model& model, Symptoms& symptoms) {
  for (const onnx::NodeProto& node : model.graph().node()) symptoms.operators.insert(node.op_type());
  symptoms.opset = model::default_opset(model.proto);
}

bool fits(const IssueRow& row, const Symptoms& symptoms) {
  const bool is_fixed = !row.fixed_in.empty() && !blame::is_lower_version(symptoms.version, std::string(row.fixed_in));
  const bool has_opset = symptoms.opset >= row.first_opset && symptoms.opset <= row.last_opset;
  return row.engine == symptoms.engine && row.failure == symptoms.failure && !is_fixed && has_opset &&
         std::ranges::all_of(row.operators, [&](auto name) { return symptoms.operators.contains(name); }) &&
         symptoms.message.find(row.message) != std::string::npos;
}

}  // namespace

const std::vector<IssueRow>& known_issues() {
  static const std::vector<IssueRow> kIssues = {
      {.engine = "onnxruntime",
       .failure = Failure::differs,
       .operators = {"QuantizeLinear", "DequantizeLinear"},
       .message = "QDQSelectorActionTransformer",
       .what =
           "QDQ fusion computes in integers and rounds ties differently, so results are off by one quantization step",
       .link = "https://github.com/microsoft/onnxruntime/issues/32132"},
      {.engine = "onnxruntime",
       .failure = Failure::refused,
       .message = "Could not find an implementation for Max(",
       .what = "Max has no kernel for some integer types that ONNX allows",
       .link = "https://github.com/microsoft/onnxruntime/issues/15845"},
      {.engine = "onnxruntime",
       .failure = Failure::refused,
       .message = "Could not find an implementation for Min(",
       .what = "Min has no kernel for some integer types that ONNX allows",
       .link = "https://github.com/microsoft/onnxruntime/issues/15845"},
      {.engine = "onnxruntime",
       .failure = Failure::refused,
       .message = "has element type tensor(float16) but usage of initializer in graph expects tensor(float)",
       .what = "onnxconverter-common converts initializers to float16 that are declared as float32",
       .link = "https://github.com/microsoft/onnxconverter-common/issues/304"},
      {.engine = "onnxruntime",
       .failure = Failure::random,
       .operators = {"Dropout"},
       .what = "Dropout with training_mode set draws new random numbers in each run, as the standard says",
       .link = "https://github.com/microsoft/onnxruntime/issues/5549"},
      {.engine = "onnxruntime",
       .failure = Failure::differs,
       .operators = {"Transpose"},
       .message = "GemmTransposeFusion",
       .fixed_in = "1.30.0",
       .what = "GemmTransposeFusion takes a Transpose that keeps the order of dimensions for one that swaps them",
       .link = "https://github.com/microsoft/onnxruntime/issues/32228"},
      {.engine = "onnxruntime",
       .failure = Failure::refused,
       .operators = {"Transpose"},
       .message = "GemmTransposeFusion",
       .fixed_in = "1.30.0",
       .what = "GemmTransposeFusion takes a Transpose that keeps the order of dimensions for one that swaps them",
       .link = "https://github.com/microsoft/onnxruntime/issues/32417"},
      {.engine = "onnxruntime",
       .failure = Failure::differs,
       .operators = {"Pad", "AveragePool"},
       .message = "Pad_Fusion",
       .fixed_in = "1.21.0",
       .what = "Pad_Fusion moves a Pad into an AveragePool that doesn't count padded elements",
       .link = "https://github.com/microsoft/onnxruntime/issues/22177"},
      {.engine = "onnxruntime",
       .failure = Failure::refused,
       .operators = {"StringNormalizer"},
       .message = "Failed to construct locale",
       .what = "StringNormalizer needs the locale en_US.UTF-8, which the system lacks",
       .link = "https://github.com/microsoft/onnxruntime/issues/17017"},
      {.engine = "onnxruntime",
       .failure = Failure::refused,
       .operators = {"ConcatFromSequence"},
       .message = "Must have 1 or more inputs",
       .what = "ConcatFromSequence fails if the sequence is empty",
       .link = "https://github.com/microsoft/onnxruntime/issues/16619"},
      {.engine = "openvino",
       .failure = Failure::refused,
       .operators = {"Loop"},
       .message = "does not match the sum of loop carried dependencies",
       .what = "OpenVINO 2026 refuses a Loop that earlier versions accept",
       .link = "https://github.com/openvinotoolkit/openvino/issues/35874"},
      {.engine = "openvino",
       .failure = Failure::refused,
       .message = "rank has to be known",
       .what = "an If whose branches have different ranks has an unknown rank, which the operators behind it refuse",
       .link = "https://github.com/openvinotoolkit/openvino/pull/33027"},
      {.engine = "reference",
       .failure = Failure::differs,
       .operators = {"BatchNormalization"},
       .first_opset = 9,
       .last_opset = 13,
       .what = "BatchNormalization of opset 9 to 13 is computed as if in training",
       .link = "https://github.com/onnx/onnx/pull/8442"},
  };
  return kIssues;
}

const IssueRow* match_issue(const Symptoms& symptoms) {
  const auto row = std::ranges::find_if(known_issues(), [&](const IssueRow& issue) { return fits(issue, symptoms); });
  return row == known_issues().end() ? nullptr : &*row;
}

namespace {

// If it is unknown which side is right, either can be the one at fault.
base::Expected<std::optional<KnownIssue>> find_for_side(const Case& task, const Facts& facts, const Side& side) {
  Symptoms symptoms{.engine = is_reference(side) ? "reference" : side.setup.spec.kind,
                    .failure = facts.failure,
                    .message = facts.details + " " + base::join(facts.setting.optimizers, " ")};
  const auto version = facts.versions.find(side.setup.runner);
  if (version != facts.versions.end()) symptoms.version = version->second;
  if (facts.minimal.file.empty()) {
    add_operators(task.model, symptoms);
  } else {
    ASSAY_ASSIGN(const model::Model minimal, model::load(facts.minimal.file));
    add_operators(minimal, symptoms);
  }
  const IssueRow* row = match_issue(symptoms);
  if (row == nullptr) return std::nullopt;
  return KnownIssue{std::string(row->what), std::string(row->link)};
}

}  // namespace

base::Expected<std::optional<KnownIssue>> find_known_issue(const Case& task, const Facts& facts) {
  for (const int number : {facts.faulty_side, facts.good_is_sure ? kNoSide : facts.good_side}) {
    if (number < 0) continue;
    ASSAY_ASSIGN(const std::optional<KnownIssue> found, find_for_side(task, facts, task.sides.at(number)));
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace assay::diagnose
