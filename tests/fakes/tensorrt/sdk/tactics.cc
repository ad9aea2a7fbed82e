#include "tactics.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dims.h"
#include "driver.h"
#include "handle.h"
#include "infer_stubs.h"
#include "misbehave.h"
#include "timing_cache.h"

namespace fake_tensorrt {
namespace {

constexpr int kBadTactic = 2;

#if NV_TENSORRT_MAJOR < 11
using nvinfer1::DataType;
using nvinfer1::Dims;

constexpr int kTactics = 3;
constexpr std::int64_t kTacticStep = -0x0123'4567'89AB'CDEF;  // real numbers of tactics are hashes, and can be negative

class IOInfo final : public nvinfer1::apiv::stubs::VAlgorithmIOInfo {
 public:
  IOInfo(DataType type, Dims strides) : type_(type), strides_(strides) {}
  DataType getDataType() const noexcept override { return type_; }
  Dims getStrides() const noexcept override { return strides_; }
  std::int64_t getVectorizedDim() const noexcept override { return -1; }
  std::int64_t getComponentsPerElement() const noexcept override { return 1; }

 private:
  DataType type_;
  Dims strides_;
};

class Variant final : public nvinfer1::apiv::stubs::VAlgorithmVariant {
 public:
  Variant(std::int64_t implementation, std::int64_t tactic) : implementation_(implementation), tactic_(tactic) {}
  std::int64_t getImplementation() const noexcept override { return implementation_; }
  std::int64_t getTactic() const noexcept override { return tactic_; }

 private:
  std::int64_t implementation_;
  std::int64_t tactic_;
};

class Layer final : public nvinfer1::apiv::stubs::VAlgorithmContext {
 public:
  Layer(std::string name, std::vector<Dims> inputs, std::vector<Dims> outputs)
      : name_(std::move(name)), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  char const* getName() const noexcept override { return name_.c_str(); }
  Dims getDimensions(std::int32_t index, nvinfer1::OptProfileSelector /*select*/) const noexcept override {
    const auto count = static_cast<std::int32_t>(inputs_.size());
    return index < count ? inputs_.at(index) : outputs_.at(index - count);
  }
  std::int32_t getNbInputs() const noexcept override { return static_cast<std::int32_t>(inputs_.size()); }
  std::int32_t getNbOutputs() const noexcept override { return static_cast<std::int32_t>(outputs_.size()); }

 private:
  std::string name_;
  std::vector<Dims> inputs_;
  std::vector<Dims> outputs_;
};

class Algorithm final : public nvinfer1::apiv::stubs::VAlgorithm {
 public:
  Algorithm(std::int64_t implementation, int index, const std::vector<IOInfo>& tensors)
      : index_(index), variant_(implementation, index * kTacticStep) {
    for (const IOInfo& tensor : tensors) tensors_.emplace_back(tensor);
  }
  nvinfer1::IAlgorithmVariant const& getAlgorithmVariant() const noexcept override { return variant_; }
  float getTimingMSec() const noexcept override { return 0.01F * static_cast<float>(index_ + 1); }
  std::size_t getWorkspaceSize() const noexcept override { return 0; }
  nvinfer1::IAlgorithmIOInfo const* getAlgorithmIOInfoByIndex(std::int32_t index) const noexcept override {
    return index >= 0 && index < static_cast<std::int32_t>(tensors_.size()) ? &tensors_.at(index) : nullptr;
  }

 private:
  int index_;
  Handle<nvinfer1::IAlgorithmVariant, Variant> variant_;
  std::deque<Handle<nvinfer1::IAlgorithmIOInfo, IOInfo>> tensors_;
};

// A layer of the engine with its tactics.
struct Choice {
  GraphLayer* layer;  // the last of those that are fused
  std::unique_ptr<Handle<nvinfer1::IAlgorithmContext, Layer>> context;
  std::deque<Handle<nvinfer1::IAlgorithm, Algorithm>> algorithms;
};

// Dynamic dimensions count as 1.
Dims strides_of(const Dims& dims) {
  Dims strides = dims;
  std::int64_t stride = 1;
  for (int axis = dims.nbDims - 1; axis >= 0; --axis) {
    strides.d[axis] = stride;
    stride *= dims.d[axis] > 0 ? dims.d[axis] : 1;
  }
  return strides;
}

Choice choice_of(Graph& graph, int at) {
  GraphLayer& layer = graph.layers[at];
  std::string name = layer.name;
  std::vector<int> inputs = layer.inputs;
  for (auto before = fused_before(graph, at); before; before = fused_before(graph, *before)) {
    const GraphLayer& fused = graph.layers[*before];
    name = fused.name + " + " + name;
    std::erase(inputs, fused.outputs.at(0));
    inputs.insert(inputs.begin(), fused.inputs.begin(), fused.inputs.end());
  }
  std::array<std::vector<Dims>, 2> dims;
  std::vector<IOInfo> tensors;
  for (const auto& [indices, border] : {std::pair(&inputs, &dims[0]), std::pair(&layer.outputs, &dims[1])}) {
    for (const int index : *indices) {
      const GraphTensor& tensor = graph.tensors[index];
      const bool is_float = tensor.type == DataType::kFLOAT;
      border->push_back(tensor.dims);
      tensors.emplace_back(is_float ? layer.precision.value_or(tensor.type) : tensor.type, strides_of(tensor.dims));
    }
  }
  Choice choice{
      .layer = &layer,
      .context = std::make_unique<Handle<nvinfer1::IAlgorithmContext, Layer>>(std::move(name), dims[0], dims[1]),
      .algorithms = {}};
  constexpr std::int64_t kFirstImplementation = 0x8000'0000;
  for (int index = 0; index < kTactics; ++index) {
    choice.algorithms.emplace_back(kFirstImplementation + static_cast<int>(layer.type), index, tensors);
  }
  return choice;
}

std::vector<Choice> all_choices(Graph& graph) {
  std::set<int> fused;  // into a later layer
  for (int at = 0; at < static_cast<int>(graph.layers.size()); ++at) {
    if (const auto before = fused_before(graph, at)) fused.insert(*before);
  }
  std::vector<Choice> choices;
  for (int at = 0; at < static_cast<int>(graph.layers.size()); ++at) {
    if (graph.layers[at].type != nvinfer1::LayerType::kCONSTANT && !fused.contains(at)) {
      choices.push_back(choice_of(graph, at));
    }
  }
  return choices;
}

// Returns the number of this build among those with the same file in ASSAY_FAKE_BUILDS, which gets a byte for each.
std::size_t build_number() {
  const char* file = std::getenv("ASSAY_FAKE_BUILDS");
  if (file == nullptr) return 0;
  std::ofstream out(file, std::ios::app | std::ios::binary);
  out.put('.');
  return static_cast<std::size_t>(out.tellp());
}

// Returns a number that looks random, but is the same in each run.
std::size_t mix(std::size_t build, std::size_t layer) {
  std::uint64_t bits = build * 0x9E37'79B9'7F4A'7C15ULL + layer * 0xD1B5'4A32'D192'ED03ULL;
  bits = (bits ^ bits >> 30U) * 0xBF58'476D'1CE4'E5B9ULL;
  return bits ^ bits >> 27U;
}

// Returns what layers that are alike have in common.
std::string kind_of(const Graph& graph, const Choice& choice) {
  return TimingCache::key(graph, *choice.layer) + " " + std::to_string(choice.layer->operation) + " " +
         std::to_string(choice.context->getNbInputs());
}

// Asks the selector. Returns the indices of allowed tactics, or nothing if none are.
std::vector<std::int32_t> allowed(const Choice& choice, const Config& config) {
  std::vector<std::int32_t> all(kTactics);
  std::iota(all.begin(), all.end(), 0);
  nvinfer1::IAlgorithmSelector* selector = config.getAlgorithmSelector();
  if (selector == nullptr || misbehaves("no_selector")) return all;
  std::vector<const nvinfer1::IAlgorithm*> offered;
  for (const auto& algorithm : choice.algorithms) offered.push_back(&algorithm);
  std::vector<std::int32_t> selection(kTactics, -1);
  std::int32_t count = 0;
  in_another_thread(
      [&] { count = selector->selectAlgorithms(*choice.context, offered.data(), kTactics, selection.data()); });
  if (count < 0 || count > kTactics) break_rule("selectAlgorithms must return the number of selected algorithms");
  selection.resize(static_cast<std::size_t>(count));
  for (const std::int32_t index : selection) {
    if (index < 0 || index >= kTactics) break_rule("selectAlgorithms must select algorithms that it was offered");
  }
  if (selection.empty() && !config.has(nvinfer1::BuilderFlag::kREJECT_EMPTY_ALGORITHMS)) return all;
  return selection;
}

void report(const std::vector<Choice>& choices, const Config& config) {
  nvinfer1::IAlgorithmSelector* selector = config.getAlgorithmSelector();
  if (selector == nullptr || misbehaves("no_selector")) return;
  std::vector<const nvinfer1::IAlgorithmContext*> layers;
  std::vector<const nvinfer1::IAlgorithm*> chosen;
  for (const Choice& choice : choices) {
    layers.push_back(choice.context.get());
    chosen.push_back(&choice.algorithms.at(static_cast<std::size_t>(choice.layer->tactic)));
  }
  in_another_thread(
      [&] { selector->reportAlgorithms(layers.data(), chosen.data(), static_cast<std::int32_t>(layers.size())); });
}
#endif

}  // namespace

#if NV_TENSORRT_MAJOR < 11
std::string choose_tactics(Plan& plan, const Config& config) {
  const std::vector<Choice> choices = all_choices(plan.graph);
  const bool varies = misbehaves("bad_tactic");
  const std::size_t build = varies ? build_number() : 0;
  const bool times_each = config.has(nvinfer1::BuilderFlag::kDISABLE_TIMING_CACHE);
  for (std::size_t profile = 0; profile < plan.profiles.size(); ++profile) {
    std::map<std::string, std::int32_t> known;  // tactics by layers that are alike
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const std::string key = kind_of(plan.graph, choices[i]);
      if (!times_each && known.contains(key)) {
        choices[i].layer->tactic = known.at(key);
        continue;
      }
      const std::vector<std::int32_t> indices = allowed(choices[i], config);
      if (indices.empty()) {
        return std::string("Error Code 10: Internal Error (the algorithm selector has selected nothing for ") +
               choices[i].context->getName() + ")";
      }
      choices[i].layer->tactic = indices[varies ? mix(build, i) % indices.size() : 0];
      if (misbehaves("disobey_selector")) choices[i].layer->tactic = kTactics - 1 - indices[0];
      known.emplace(key, choices[i].layer->tactic);
    }
    report(choices, config);
  }
  return "";
}
#else
std::string choose_tactics(Plan& /*plan*/, const Config& /*config*/) {
  return "";
}
#endif

bool has_bad_tactic(const GraphLayer& layer) {
  return layer.type == nvinfer1::LayerType::kACTIVATION && layer.tactic == kBadTactic;
}

}  // namespace fake_tensorrt
