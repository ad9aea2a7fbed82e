// Calibrates int8, with TensorRT 10: from a cache that was written before, or with inputs that Assay has saved for it.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/tensorrt/sdk/build_callbacks.h"
#include "backend/tensorrt/sdk/device_memory.h"
#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"

namespace assay::backend {

// The batches of a calibration, files "0.npz", "1.npz" and so on with an array for each input. One of them is in memory
// at a time. Errors are kept, since TensorRT only learns that there are no more batches.
class CalibrationBatches {
 public:
  // Returns a Refused in phase build if there is no first batch.
  static Answer<CalibrationBatches> open(std::string folder, const CudaDriver& driver);

  // Returns the inputs of the first batch. All others must have the same shapes.
  [[nodiscard]] const tensor::NamedTensors& first() const { return first_; }
  // Copies the next batch to the GPU and returns the addresses of these inputs, or nothing at the end.
  std::optional<std::vector<void*>> next(const std::vector<std::string>& inputs);
  [[nodiscard]] const std::optional<worker::Refused>& refused() const { return refused_; }

 private:
  CalibrationBatches(std::string folder, const CudaDriver& driver) : folder_(std::move(folder)), driver_(&driver) {}
  [[nodiscard]] std::string file(int number) const;
  Answer<void*> copy(const std::string& input, const tensor::NamedTensors& batch);

  std::string folder_;
  const CudaDriver* driver_;
  tensor::NamedTensors first_;
  int done_ = 0;  // batches
  std::map<std::string, DeviceMemory> memory_;
  std::optional<worker::Refused> refused_;
};

// A calibrator and the data that it reads. TensorRT has a base class for each algorithm of calibration, and this
// interface hides which one the calibrator derives from. The build fails if a batch can't be read or the cache can't be
// written.
class Calibration : public BuildCallback {
 public:
  [[nodiscard]] virtual nvinfer1::IInt8Calibrator& calibrator() = 0;
  // Returns the batches, or null if a cache is read.
  [[nodiscard]] virtual const CalibrationBatches* batches() const = 0;
};

// Returns a calibration of the class in the plan. It reads the plan's cache if that file exists and isn't empty. Else
// it reads the batches in `folder` and writes the cache, if the plan names one. Returns a Refused in phase build for a
// cache that can't be read, if there are neither a cache nor batches, and for a class that TensorRT doesn't have.
Answer<std::unique_ptr<Calibration>> make_calibration(const tensorrt::Calibrator& plan, const std::string& folder,
                                                      const CudaDriver& driver);

}  // namespace assay::backend
