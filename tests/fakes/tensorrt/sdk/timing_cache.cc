#include "timing_cache.h"

#include <sstream>

#include "dims.h"
#include "host_memory.h"
#include "misbehave.h"

namespace fake_tensorrt {

constexpr std::string_view kFirstLine = "fake TensorRT timing cache\n";

TimingCache::~TimingCache() {
  if (!builder_.expired()) break_rule("a timing cache must outlive the builders that use it");
}

std::optional<TimingCache::Entries> TimingCache::read(std::string_view bytes) {
  if (bytes.empty()) return Entries();
  if (!bytes.starts_with(kFirstLine)) return std::nullopt;
  std::istringstream lines{std::string(bytes.substr(kFirstLine.size()))};
  Entries entries;
  for (std::string line; std::getline(lines, line);) entries.insert(line);
  return entries;
}

std::string TimingCache::key(const Graph& graph, const GraphLayer& layer) {
  const GraphTensor& output = graph.tensors[layer.outputs.at(0)];
  return name_of(layer.type) + " " + name_of(output.type) + " " + to_text(output.dims);
}

nvinfer1::IHostMemory* TimingCache::serialize() const noexcept {
  std::string bytes(kFirstLine);
  for (const std::string& entry : entries_) bytes += entry + "\n";
  return make_host_memory(bytes);
}

bool TimingCache::combine(nvinfer1::ITimingCache const& other, bool ignore_mismatch) noexcept {
  if (misbehaves("other_gpu") && !ignore_mismatch) return false;
  const Entries& more = implementation_of<TimingCache>(other).entries_;
  entries_.insert(more.begin(), more.end());
  return true;
}

bool TimingCache::reset() noexcept {
  entries_.clear();
  return true;
}

}  // namespace fake_tensorrt
