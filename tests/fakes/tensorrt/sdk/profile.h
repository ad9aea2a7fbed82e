// An optimisation profile.
#pragma once

#include "handle.h"
#include "infer_stubs.h"
#include "plan.h"

namespace fake_tensorrt {

class Profile final : public nvinfer1::apiv::stubs::VOptimizationProfile {
 public:
  [[nodiscard]] const ProfileRow& row() const { return row_; }

  bool setDimensions(char const* input, nvinfer1::OptProfileSelector select,
                     nvinfer1::Dims const& dims) noexcept override;
  nvinfer1::Dims getDimensions(char const* input, nvinfer1::OptProfileSelector select) const noexcept override;
#if NV_TENSORRT_MAJOR < 11
  bool setShapeValues(char const* input, nvinfer1::OptProfileSelector select, int32_t const* values,
                      int32_t count) noexcept override;
#endif
  int32_t getNbShapeValues(char const* input) const noexcept override;
#ifdef FAKE_HAS_VOptimizationProfile_setShapeValuesV2
  bool setShapeValuesV2(char const* input, nvinfer1::OptProfileSelector select, int64_t const* values,
                        int32_t count) noexcept override;
  int64_t const* getShapeValuesV2(char const* input, nvinfer1::OptProfileSelector select) const noexcept override;
#endif
  // Returns whether each input that has dimensions has all three, in ascending order.
  bool isValid() const noexcept override;

 private:
  bool set_values(const std::string& input, nvinfer1::OptProfileSelector select, std::vector<std::int64_t> values);
  ProfileRow row_;
};

}  // namespace fake_tensorrt
