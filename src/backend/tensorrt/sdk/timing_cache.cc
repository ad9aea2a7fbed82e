// TensorRT refuses a cache of another GPU or version, because its times would be wrong. That is known before the build.
// If another program writes such a file during the build, the file stays as it is: a cache is never overwritten.
#include "backend/tensorrt/sdk/timing_cache.h"

#include <fmt/format.h>

#include <utility>

#include "backend/tensorrt/options.h"
#include "base/files.h"

namespace assay::backend {
namespace {

using nvinfer1::IBuilderConfig;
using nvinfer1::ITimingCache;
using worker::Phase;

tl::unexpected<worker::Refused> refuse_file(const std::string& file) {
  return refuse(Phase::build, 0,
                fmt::format("TensorRT can't use the timing cache {}: it belongs to another GPU or version, or is "
                            "damaged. Remove the file, or name another one",
                            file));
}

// Returns null if the bytes aren't a timing cache. For those that it can't read, TensorRT may log an error and begin an
// empty cache, which would then replace the user's file. Without bytes, it begins one anyway.
std::unique_ptr<ITimingCache> make_cache(const std::string& bytes, const IBuilderConfig& config,
                                         TensorRtLogger& logger) {
  logger.clear();
  std::unique_ptr<ITimingCache> cache(config.createTimingCache(bytes.data(), bytes.size()));
  return bytes.empty() || logger.check(Phase::build) ? std::move(cache) : nullptr;
}

// Returns null if the file can't be read, or isn't a timing cache.
std::unique_ptr<ITimingCache> read_cache(const std::string& file, const IBuilderConfig& config,
                                         TensorRtLogger& logger) {
  const auto bytes = base::read_file(file);
  return bytes ? make_cache(*bytes, config, logger) : nullptr;
}

}  // namespace

Answer<std::unique_ptr<ITimingCache>> set_timing_cache(const std::string& load, const std::string& saved,
                                                       IBuilderConfig& config, TensorRtLogger& logger) {
  if (load.empty() && saved.empty()) return nullptr;
  std::string bytes;
  if (!load.empty()) {
    auto read = base::read_file(load);
    if (!read) return refuse(Phase::build, 0, read.error().message());
    bytes = *std::move(read);
  }
  std::unique_ptr<ITimingCache> cache = make_cache(bytes, config, logger);
  if (cache != nullptr && saved != load && base::exists(saved)) {
    const auto more = read_cache(saved, config, logger);
    if (more == nullptr || !cache->combine(*more, false)) {
      return refuse_file(load.empty() || more == nullptr ? saved : fmt::format("{} or {}", saved, load));
    }
  }
  // Last, because the cache must outlive the builder from then on.
  if (cache == nullptr || !config.setTimingCache(*cache, false)) {
    if (!load.empty()) return refuse_file(load);
    return refuse(Phase::build, 0, "TensorRT made no timing cache");
  }
  return cache;
}

Answer<void> save_timing_cache(const std::string& file, IBuilderConfig& config, TensorRtLogger& logger) {
  const ITimingCache* cache = config.getTimingCache();
  std::unique_ptr<nvinfer1::IHostMemory> bytes(cache == nullptr ? nullptr : cache->serialize());
  if (bytes == nullptr) return refuse(Phase::build, 0, "TensorRT has no timing cache to save");
  if (base::exists(file)) {
    const std::unique_ptr<ITimingCache> merged(config.createTimingCache(bytes->data(), bytes->size()));
    const auto more = read_cache(file, config, logger);
    const bool combined = merged != nullptr && more != nullptr && merged->combine(*more, false);
    bytes.reset(combined ? merged->serialize() : nullptr);
    logger.clear();
    if (bytes == nullptr) {
      logger.add(base::Level::warning, describe_unsaved_cache(file));
      return {};
    }
  }
  const auto saved = base::write_file(file, {static_cast<const char*>(bytes->data()), bytes->size()});
  if (!saved) return refuse(Phase::build, 0, saved.error().message());
  return {};
}

}  // namespace assay::backend
