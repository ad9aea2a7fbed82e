#include "backend/tensorrt/sdk/calibrator.h"

#include <fmt/format.h>

#include "base/files.h"

namespace assay::backend {
namespace {

// TensorRT asks for data only if the cache lacks a tensor; there is none, so building fails then.
template <class Base>
class CacheCalibrator final : public Base {
 public:
  explicit CacheCalibrator(std::string cache) : cache_(std::move(cache)) {}
  std::int32_t getBatchSize() const noexcept override { return 1; }
  bool getBatch(void* /*bindings*/[], char const* /*names*/[], std::int32_t /*count*/) noexcept override {
    return false;
  }
  void const* readCalibrationCache(std::size_t& length) noexcept override {
    length = cache_.size();
    return cache_.data();
  }
  void writeCalibrationCache(void const* /*bytes*/, std::size_t /*length*/) noexcept override {}

 private:
  std::string cache_;
};

}  // namespace

Answer<std::unique_ptr<nvinfer1::IInt8Calibrator>> make_calibrator(const tensorrt::Calibrator& plan) {
  using Made = std::unique_ptr<nvinfer1::IInt8Calibrator>;
  auto cache = base::read_file(plan.cache);
  if (!cache) return refuse(worker::Phase::build, 0, cache.error().message());
  if (plan.base == "IInt8EntropyCalibrator2") {
    return Made(std::make_unique<CacheCalibrator<nvinfer1::IInt8EntropyCalibrator2>>(*std::move(cache)));
  }
  if (plan.base == "IInt8MinMaxCalibrator") {
    return Made(std::make_unique<CacheCalibrator<nvinfer1::IInt8MinMaxCalibrator>>(*std::move(cache)));
  }
  return refuse(worker::Phase::build, 0,
                fmt::format("--calib-base-cls: this worker has no {}. Use IInt8EntropyCalibrator2 or "
                            "IInt8MinMaxCalibrator",
                            plan.base));
}

}  // namespace assay::backend
