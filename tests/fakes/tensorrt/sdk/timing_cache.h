// The timing cache: one line for each layer that was built, so that a test sees whether a build used or filled it.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "graph.h"
#include "handle.h"
#include "infer_stubs.h"

namespace fake_tensorrt {

class TimingCache final : public nvinfer1::apiv::stubs::VTimingCache {
 public:
  using Entries = std::set<std::string>;
  explicit TimingCache(Entries entries) : entries_(std::move(entries)) {}
  // Ends the process if a builder to whose configuration the cache was given is still there.
  ~TimingCache() override;
  // `builder` lives as long as the builder.
  void use(const std::shared_ptr<int>& builder) { builder_ = builder; }
  // Returns the entries of a serialised cache, none for an empty one, and nothing if it isn't one.
  static std::optional<Entries> read(std::string_view bytes);
  // Returns the key of a layer, which consists of its kind and the type and shape of its output.
  static std::string key(const Graph& graph, const GraphLayer& layer);
  [[nodiscard]] bool contains(const std::string& key) const { return entries_.contains(key); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  void add(const std::string& key) { entries_.insert(key); }

  nvinfer1::IHostMemory* serialize() const noexcept override;
  bool combine(nvinfer1::ITimingCache const& other, bool ignore_mismatch) noexcept override;
  bool reset() noexcept override;

 private:
  Entries entries_;
  std::weak_ptr<int> builder_;
};

}  // namespace fake_tensorrt
