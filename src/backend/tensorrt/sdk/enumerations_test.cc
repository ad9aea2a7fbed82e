// Compares the table of enumerators with the headers of the version with which the worker is built.
#include "tensorrt/enumerations.h"

#include <NvInfer.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backend/tensorrt/sdk/headers.h"

namespace assay::backend {
namespace {

// Expects the enumerators of the headers' version to be those up to the last one of the headers. TensorRT 11 has
// removed enumerators without closing the gaps.
template <class Enum>
void expect_all(const char* enumeration) {
  constexpr int kCount = nvinfer1::EnumMax<Enum>();
  SCOPED_TRACE(enumeration);
  const auto numbers = tensorrt::enumerators_in(enumeration, {NV_TENSORRT_MAJOR, NV_TENSORRT_MINOR});
  ASSERT_FALSE(numbers.empty());
  EXPECT_EQ(std::ranges::max(numbers), kCount - 1);
  if (ASSAY_TENSORRT_UNTIL_10) {
    EXPECT_EQ(static_cast<int>(numbers.size()), kCount);
  }
}

TEST(HeadersOfTensorRt, HaveTheEnumeratorsOfTheTable) {
  expect_all<nvinfer1::BuilderFlag>("BuilderFlag");
  expect_all<nvinfer1::PreviewFeature>("PreviewFeature");
  expect_all<nvinfer1::HardwareCompatibilityLevel>("HardwareCompatibilityLevel");
  expect_all<nvinfer1::ProfilingVerbosity>("ProfilingVerbosity");
  expect_all<nvinfer1::MemoryPoolType>("MemoryPoolType");
  expect_all<nvinfer1::TacticSource>("TacticSource");
  expect_all<nvinfer1::TensorFormat>("TensorFormat");
  expect_all<nvinfer1::EngineCapability>("EngineCapability");
  expect_all<nvinfer1::LayerType>("LayerType");
#if ASSAY_TENSORRT_UNTIL_10
  expect_all<nvinfer1::QuantizationFlag>("QuantizationFlag");
#endif
#if ASSAY_TENSORRT_SINCE_10(2)
  expect_all<nvinfer1::RuntimePlatform>("RuntimePlatform");
#endif
#if ASSAY_TENSORRT_SINCE_10(8)
  expect_all<nvinfer1::TilingOptimizationLevel>("TilingOptimizationLevel");
#endif
}

}  // namespace
}  // namespace assay::backend
