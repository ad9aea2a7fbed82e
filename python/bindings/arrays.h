// NumPy arrays as tensors and tensors as NumPy arrays, without copying their bytes.
//
// An array that isn't contiguous or not little-endian is copied first, and types of less than 8 bits are always
// converted: ONNX packs them, and ml_dtypes uses a byte for each. Strings become Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "tensor/tensor.h"

namespace assay::python {

// Returns a tensor that shares the array's memory and keeps the array alive; it may be released by any thread. Accepts
// whatever numpy.asarray() does, and tensors of PyTorch. Errors: InputError for an element type that ONNX doesn't have.
// All functions need the GIL.
tensor::Tensor to_tensor(nanobind::handle array);
// The same for a dictionary of arrays by name.
tensor::NamedTensors to_tensors(const nanobind::dict& arrays);

// Returns a writable array that shares the tensor's memory and keeps it alive. Use it only for tensors that nothing
// else reads, such as results of a run or decoded files. Errors: NotFoundError if only the package ml_dtypes has the
// element type, and it isn't installed.
nanobind::object to_array(const tensor::Tensor& tensor);
nanobind::dict to_arrays(const tensor::NamedTensors& tensors);

// Returns the element type of whatever numpy.dtype() accepts, or `undefined`.
tensor::ElementType to_element_type(nanobind::handle dtype);

}  // namespace assay::python
