// The execution providers that the worker of ONNX Runtime adds with functions of their own. ONNX Runtime may have
// others.
#pragma once

#include <array>
#include <string_view>

namespace assay::backend {

inline constexpr std::string_view kCpuProvider = "CPUExecutionProvider";
inline constexpr std::string_view kCudaProvider = "CUDAExecutionProvider";
inline constexpr std::string_view kTensorRtProvider = "TensorrtExecutionProvider";
inline constexpr std::string_view kDnnlProvider = "DnnlExecutionProvider";
inline constexpr std::string_view kOpenVinoProvider = "OpenVINOExecutionProvider";

inline constexpr std::array kProviderNames = {kCpuProvider, kCudaProvider, kTensorRtProvider, kDnnlProvider,
                                              kOpenVinoProvider};

}  // namespace assay::backend
