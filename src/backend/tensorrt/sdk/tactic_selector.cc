// TensorRT calls a tactic an algorithm. For each layer of the engine, which can compute several of the network, it asks
// the selector which of the possible algorithms it may use, and takes the fastest of them. At the end of a profile it
// reports what it took.
//
// A replay that names a tactic which TensorRT doesn't offer fails the build: with REJECT_EMPTY_ALGORITHMS, the builder
// stops when nothing is selected. Layers that the replay doesn't have are left to TensorRT, with a warning, so that a
// replay of a model also serves parts of it.
#include "backend/tensorrt/sdk/headers.h"
#if ASSAY_TENSORRT_UNTIL_10
#include "backend/tensorrt/sdk/tactic_selector.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend/tensorrt/sdk/dimensions.h"
#include "base/files.h"
#include "base/list_first.h"

namespace assay::backend {
namespace {

using nvinfer1::IAlgorithm;
using nvinfer1::IAlgorithmContext;
using tensorrt::Tactic;
using worker::Phase;

constexpr std::size_t kMostListed = 8;  // layers or tactics in one message

tensorrt::TacticTensor describe_tensor(const nvinfer1::IAlgorithmIOInfo* info) {
  if (info == nullptr) return {};
  return {.dtype = tensorrt::tactic_type(static_cast<int>(info->getDataType())),
          .strides = to_shape(info->getStrides()),
          .vectorized_dim = info->getVectorizedDim(),
          .components_per_element = info->getComponentsPerElement()};
}

Tactic describe(const IAlgorithmContext& layer, const IAlgorithm& algorithm) {
  Tactic tactic{.implementation = algorithm.getAlgorithmVariant().getImplementation(),
                .tactic = algorithm.getAlgorithmVariant().getTactic(),
                .inputs = {},
                .outputs = {}};
  const int inputs = layer.getNbInputs();
  for (int i = 0; i < inputs + layer.getNbOutputs(); ++i) {
    (i < inputs ? tactic.inputs : tactic.outputs).push_back(describe_tensor(algorithm.getAlgorithmIOInfoByIndex(i)));
  }
  return tactic;
}

// Selects all choices. Returns their number.
std::int32_t select_all(std::int32_t count, std::int32_t* selection) {
  std::iota(selection, selection + count, 0);
  return count;
}

tl::unexpected<worker::Refused> refuse_unused(const std::string& option) {
  return refuse(Phase::build, 0,
                fmt::format("TensorRT has built the engine without asking for tactics, so {} had no effect: this "
                            "version can't do it with these settings. Leave it out",
                            option));
}

class TacticRecorder final : public TacticSelector {
 public:
  explicit TacticRecorder(std::string file) : file_(std::move(file)) {}

  std::int32_t selectAlgorithms(const IAlgorithmContext& /*layer*/, const IAlgorithm* const* /*choices*/,
                                std::int32_t count, std::int32_t* selection) noexcept override {
    return select_all(count, selection);
  }

  // A layer that several profiles have keeps its last tactic, as in Polygraphy.
  void reportAlgorithms(const IAlgorithmContext* const* layers, const IAlgorithm* const* choices,
                        std::int32_t count) noexcept override {
    const std::lock_guard lock(mutex_);
    was_used_ = true;
    for (std::int32_t i = 0; i < count; ++i) {
      const std::string layer = layers[i]->getName();
      const auto [place, is_new] = places_.emplace(layer, replay_.size());
      if (is_new) replay_.emplace_back(layer, Tactic());
      replay_[place->second].second = describe(*layers[i], *choices[i]);
    }
  }

  Answer<void> check() override { return {}; }

  Answer<void> finish() override {
    const std::lock_guard lock(mutex_);
    if (!was_used_) return refuse_unused("--save-tactics");
    const auto saved = base::write_file(file_, tensorrt::write_tactic_replay(replay_));
    if (!saved) return refuse(Phase::build, 0, saved.error().message());
    return {};
  }

 private:
  std::string file_;
  std::mutex mutex_;
  bool was_used_ = false;
  tensorrt::TacticReplay replay_;
  std::map<std::string, std::size_t> places_;  // of layers in the replay
};

class TacticReplayer final : public TacticSelector {
 public:
  TacticReplayer(tensorrt::TacticReplay replay, TensorRtLogger& logger) : replay_(std::move(replay)), logger_(logger) {
    for (const auto& [layer, tactic] : replay_) tactics_.emplace(layer, &tactic);
  }

  std::int32_t selectAlgorithms(const IAlgorithmContext& layer, const IAlgorithm* const* choices, std::int32_t count,
                                std::int32_t* selection) noexcept override {
    const std::lock_guard lock(mutex_);
    const Tactic* wanted = find(layer.getName());
    if (wanted == nullptr) return select_all(count, selection);
    std::vector<std::string> offered;
    for (std::int32_t i = 0; i < count; ++i) {
      const Tactic choice = describe(layer, *choices[i]);
      if (choice == *wanted) {
        selection[0] = i;
        return 1;
      }
      offered.push_back("    " + tensorrt::tactic_text(choice));
    }
    fail(fmt::format(
        "TensorRT doesn't offer the tactic that the replay has for the layer '{}': {}. It offers:\n{}\n"
        "The model, the settings, the GPU or TensorRT's version may have changed: record a new replay "
        "with --save-tactics",
        layer.getName(), tensorrt::tactic_text(*wanted), base::list_first(std::move(offered), kMostListed, "\n")));
    return 0;
  }

  void reportAlgorithms(const IAlgorithmContext* const* layers, const IAlgorithm* const* choices,
                        std::int32_t count) noexcept override {
    const std::lock_guard lock(mutex_);
    for (std::int32_t i = 0; i < count; ++i) {
      const Tactic* wanted = find(layers[i]->getName());
      if (wanted == nullptr) continue;
      const Tactic chosen = describe(*layers[i], *choices[i]);
      if (chosen == *wanted) continue;
      fail(fmt::format("TensorRT chose another tactic for the layer '{}' than the replay has: {}, not {}",
                       layers[i]->getName(), tensorrt::tactic_text(chosen), tensorrt::tactic_text(*wanted)));
    }
  }

  Answer<void> check() override {
    const std::lock_guard lock(mutex_);
    if (!error_.empty()) return refuse(Phase::build, 0, error_);
    return {};
  }

  Answer<void> finish() override {
    const std::lock_guard lock(mutex_);
    if (!was_used_) return refuse_unused("--load-tactics");
    if (!left_.empty()) {
      logger_.add(base::Level::warning,
                  fmt::format("the tactic replay lacks {} of the engine's layers, so TensorRT chose their tactics: {}",
                              left_.size(), base::list_first({left_.begin(), left_.end()}, kMostListed, ", ")));
    }
    std::vector<std::string> unknown;
    for (const auto& [layer, tactic] : replay_) {
      if (!seen_.contains(layer)) unknown.push_back(layer);
    }
    if (!unknown.empty()) {
      const std::size_t count = unknown.size();
      logger_.add(base::Level::warning, fmt::format("the engine lacks {} of the tactic replay's layers: {}", count,
                                                    base::list_first(std::move(unknown), kMostListed, ", ")));
    }
    return {};
  }

 private:
  // Returns what the replay has for a layer of the engine; null if it has none. Needs the lock.
  const Tactic* find(const std::string& layer) {
    was_used_ = true;
    const auto found = tactics_.find(layer);
    (found == tactics_.end() ? left_ : seen_).insert(layer);
    return found == tactics_.end() ? nullptr : found->second;
  }

  void fail(std::string error) {  // needs the lock
    if (error_.empty()) error_ = std::move(error);
  }

  tensorrt::TacticReplay replay_;
  TensorRtLogger& logger_;
  std::map<std::string, const Tactic*> tactics_;  // of the replay, by layer
  std::mutex mutex_;
  bool was_used_ = false;
  std::set<std::string> seen_;  // layers that the replay has
  std::set<std::string> left_;  // layers that it lacks
  std::string error_;           // the first one
};

Answer<std::unique_ptr<TacticSelector>> make_selector(const tensorrt::ConfigPlan& plan, TensorRtSdk& sdk) {
  if (!plan.save_tactics.empty()) return std::make_unique<TacticRecorder>(plan.save_tactics);
  if (plan.load_tactics.empty()) return nullptr;
  auto replay = tensorrt::load_tactic_replay(plan.load_tactics);
  if (!replay) return refuse(Phase::build, 0, replay.error().message());
  return std::make_unique<TacticReplayer>(*std::move(replay), sdk.logger);
}

}  // namespace

Answer<std::unique_ptr<TacticSelector>> apply_tactics(const tensorrt::ConfigPlan& plan, TensorRtSdk& sdk,
                                                      nvinfer1::IBuilderConfig& config) {
  ASSAY_ASSIGN(auto selector, make_selector(plan, sdk));
  if (selector == nullptr) return nullptr;
  config.setAlgorithmSelector(selector.get());
  if (config.getAlgorithmSelector() != selector.get()) {
    return tl::unexpected(sdk.logger.refused(Phase::build,
                                             "TensorRT doesn't accept an algorithm selector, which records and "
                                             "replays tactics"));
  }
  if (!plan.load_tactics.empty()) config.setFlag(nvinfer1::BuilderFlag::kREJECT_EMPTY_ALGORITHMS);
  return selector;
}

}  // namespace assay::backend
#endif
