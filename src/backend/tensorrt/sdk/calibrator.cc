// TensorRT calls the calibrator while it builds. The headers don't say from which thread.
#include "backend/tensorrt/sdk/headers.h"
#if ASSAY_TENSORRT_UNTIL_10
#include "backend/tensorrt/sdk/calibrator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/files.h"
#include "tensor/npz.h"

namespace assay::backend {
namespace {

using worker::Phase;

struct Source {
  std::string cache{};       // contents; empty if there is none yet
  std::string save_cache{};  // file; empty: not saved
  std::optional<CalibrationBatches> batches{};
  double quantile = 0;
  double regression_cutoff = 0;
};

template <class Base>
class Calibrator : public Base, public Calibration {
 public:
  explicit Calibrator(Source source) : source_(std::move(source)) {}
  nvinfer1::IInt8Calibrator& calibrator() override { return *this; }
  [[nodiscard]] const CalibrationBatches* batches() const override {
    return source_.batches ? &*source_.batches : nullptr;
  }
  Answer<void> check() override {
    const auto& refused = source_.batches && source_.batches->refused() ? source_.batches->refused() : refused_;
    if (refused) return tl::unexpected(*refused);
    return {};
  }
  Answer<void> finish() override { return {}; }

  std::int32_t getBatchSize() const noexcept override { return 1; }
  // With a cache, TensorRT asks for data only if the cache lacks a tensor; building fails then.
  bool getBatch(void* bindings[], char const* names[], std::int32_t count) noexcept override {
    if (!source_.batches) return false;
    const auto addresses = source_.batches->next({names, names + count});
    if (addresses) std::ranges::copy(*addresses, bindings);
    return addresses.has_value();
  }
  void const* readCalibrationCache(std::size_t& length) noexcept override {
    length = source_.cache.size();
    return length == 0 ? nullptr : source_.cache.data();
  }
  void writeCalibrationCache(void const* bytes, std::size_t length) noexcept override {
    source_.cache.assign(static_cast<const char*>(bytes), length);  // TensorRT may ask for it again
    if (source_.save_cache.empty()) return;
    const auto saved = base::write_file(source_.save_cache, source_.cache);
    if (!saved) refused_ = refuse(Phase::build, 0, saved.error().message()).value();
  }

 protected:
  Source source_;

 private:
  std::optional<worker::Refused> refused_;
};

class LegacyCalibrator final : public Calibrator<nvinfer1::IInt8LegacyCalibrator> {
 public:
  using Calibrator::Calibrator;
  double getQuantile() const noexcept override { return source_.quantile; }
  double getRegressionCutoff() const noexcept override { return source_.regression_cutoff; }
  void const* readHistogramCache(std::size_t& length) noexcept override {
    length = 0;
    return nullptr;
  }
  void writeHistogramCache(void const* /*bytes*/, std::size_t /*length*/) noexcept override {}
};

template <class Made>
std::unique_ptr<Calibration> make(Source source) {
  return std::make_unique<Made>(std::move(source));
}

using Make = std::unique_ptr<Calibration> (*)(Source);
const std::map<std::string, Make, std::less<>> kClasses = {
    {"IInt8EntropyCalibrator2", make<Calibrator<nvinfer1::IInt8EntropyCalibrator2>>},
    {"IInt8MinMaxCalibrator", make<Calibrator<nvinfer1::IInt8MinMaxCalibrator>>},
    {"IInt8EntropyCalibrator", make<Calibrator<nvinfer1::IInt8EntropyCalibrator>>},
    {tensorrt::kLegacyCalibrator, make<LegacyCalibrator>},
};

Answer<std::string> read_cache(const std::string& file) {
  if (!base::exists(file)) return {};
  auto bytes = base::read_file(file);
  if (bytes) return *std::move(bytes);
  return refuse(Phase::build, 0, bytes.error().message());
}

}  // namespace

std::string CalibrationBatches::file(int number) const {
  return fmt::format("{}/{}.npz", folder_, number);
}

Answer<CalibrationBatches> CalibrationBatches::open(std::string folder, const CudaDriver& driver) {
  CalibrationBatches batches(std::move(folder), driver);
  auto first = tensor::read_npz(batches.file(0));
  if (!first) return refuse(Phase::build, 0, first.error().message());
  batches.first_ = *std::move(first);
  return batches;
}

Answer<void*> CalibrationBatches::copy(const std::string& input, const tensor::NamedTensors& batch) {
  const tensor::Tensor* tensor = batch.find(input);
  if (tensor == nullptr || tensor->shape() != first_.find(input)->shape()) {
    return refuse(
        Phase::build, 0,
        tensor == nullptr
            ? fmt::format("the calibration data have no input '{}'", input)
            : fmt::format("the calibration data have the input '{}' with the shapes [{}] and [{}]; all batches must "
                          "have the same shape",
                          input, fmt::join(first_.find(input)->shape(), ","), fmt::join(tensor->shape(), ",")));
  }
  DeviceMemory& memory = memory_.try_emplace(input, *driver_).first->second;
  const auto bytes = tensor->bytes();
  ASSAY_TRY(memory.reserve(bytes.size()));
  if (!bytes.empty()) {
    const std::string action = fmt::format("copy the input '{}' to the GPU", input);
    const cuda::Functions& api = driver_->api();
    ASSAY_TRY(driver_->check(api.cuMemcpyHtoDAsync_v2(memory.address(), bytes.data(), bytes.size(), nullptr),
                             Phase::build, action));
    ASSAY_TRY(driver_->check(api.cuStreamSynchronize(nullptr), Phase::build, action));
  }
  return memory.pointer();
}

std::optional<std::vector<void*>> CalibrationBatches::next(const std::vector<std::string>& inputs) {
  if (refused_) return std::nullopt;  // TensorRT may ask again
  driver_->use_in_this_thread();
  const std::string path = file(done_);
  if (done_ > 0 && !base::exists(path)) return std::nullopt;
  tensor::NamedTensors batch = first_;
  if (done_ > 0) {
    auto read = tensor::read_npz(path);
    if (!read) {
      refused_ = refuse(Phase::build, 0, read.error().message()).value();
      return std::nullopt;
    }
    batch = *std::move(read);
  }
  ++done_;
  std::vector<void*> addresses;
  for (const std::string& input : inputs) {
    auto address = copy(input, batch);
    if (!address) {
      refused_ = std::move(address).error();
      return std::nullopt;
    }
    addresses.push_back(*address);
  }
  return addresses;
}

Answer<std::unique_ptr<Calibration>> make_calibration(const tensorrt::Calibrator& plan, const std::string& folder,
                                                      const CudaDriver& driver) {
  const auto make = kClasses.find(plan.base);
  if (make == kClasses.end()) {
    return refuse(Phase::build, 0,
                  fmt::format("--calibration-base-class (--calib-base-cls): there is no {}. Use "
                              "IInt8EntropyCalibrator2, IInt8MinMaxCalibrator, IInt8EntropyCalibrator or {}",
                              plan.base, tensorrt::kLegacyCalibrator));
  }
  Source source{.save_cache = plan.cache, .quantile = plan.quantile, .regression_cutoff = plan.regression_cutoff};
  ASSAY_ASSIGN(source.cache, read_cache(plan.cache));
  if (source.cache.empty()) {
    if (folder.empty()) {
      return refuse(Phase::build, 0,
                    fmt::format("--calibration-cache: the file {} is missing or empty, and this command has no data to "
                                "calibrate with. Write it with `assay run --trt --int8`",
                                plan.cache));
    }
    ASSAY_ASSIGN(source.batches, CalibrationBatches::open(folder, driver));
  }
  return make->second(std::move(source));
}

}  // namespace assay::backend
#endif
