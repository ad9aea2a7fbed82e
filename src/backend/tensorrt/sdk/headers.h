// The version of the headers of TensorRT with which the worker is built. The library that it opens has the same major
// version, but may be older: TensorRtSdk::needs().
#pragma once

#include <NvInferVersion.h>

// Whether the headers have what TensorRT 10.`minor` added.
#define ASSAY_TENSORRT_SINCE_10(minor) (NV_TENSORRT_MAJOR > 10 || NV_TENSORRT_MINOR >= (minor))

// Whether the headers have what TensorRT 11 removed: types of layers and tensors other than the model's, calibration
// and algorithm selectors.
#define ASSAY_TENSORRT_UNTIL_10 (NV_TENSORRT_MAJOR < 11)
