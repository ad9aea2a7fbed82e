// The part of OpenVINO's C API that the worker uses, declared here so that building Assay doesn't need OpenVINO.
//
// Source: docs.openvino.ai, "OpenVINO Runtime C API", and the headers openvino/c/*.h in the `openvino` wheel. The
// numbers of element types aren't declared because they differ between versions (types.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::backend::ov {

struct Core;
struct Model;
struct CompiledModel;
struct InferRequest;
struct TensorHandle;
struct ConstPort;

using Status = int;       // 0 for success
using ElementType = int;  // ov_element_type_e

struct Version {  // ov_version_t
  const char* build_number;
  const char* description;
};
struct Shape {  // ov_shape_t
  std::int64_t rank;
  std::int64_t* dims;
};

}  // namespace assay::backend::ov

// X(name, result, arguments)
#define ASSAY_OPENVINO_FUNCTIONS(X)                                                                             \
  X(ov_get_openvino_version, Status, (Version*))                                                                \
  X(ov_version_free, void, (Version*))                                                                          \
  X(ov_get_error_info, const char*, (Status))                                                                   \
  X(ov_get_last_err_msg, const char*, ())                                                                       \
  X(ov_free, void, (const char*))                                                                               \
  X(ov_core_create, Status, (Core**))                                                                           \
  X(ov_core_free, void, (Core*))                                                                                \
  X(ov_core_set_property, Status, (const Core*, const char*, ...))                                              \
  X(ov_core_get_property, Status, (const Core*, const char*, const char*, char**))                              \
  X(ov_core_read_model, Status, (const Core*, const char*, const char*, Model**))                               \
  X(ov_core_read_model_from_memory_buffer, Status,                                                              \
    (const Core*, const char*, std::size_t, const TensorHandle*, Model**))                                      \
  X(ov_model_free, void, (Model*))                                                                              \
  X(ov_model_const_input_by_name, Status, (const Model*, const char*, ConstPort**))                             \
  X(ov_model_const_input_by_index, Status, (const Model*, std::size_t, ConstPort**))                            \
  X(ov_model_inputs_size, Status, (const Model*, std::size_t*))                                                 \
  X(ov_port_get_any_name, Status, (const ConstPort*, char**))                                                   \
  X(ov_model_outputs_size, Status, (const Model*, std::size_t*))                                                \
  X(ov_output_const_port_free, void, (ConstPort*))                                                              \
  X(ov_core_compile_model, Status, (const Core*, const Model*, const char*, std::size_t, CompiledModel**, ...)) \
  X(ov_compiled_model_get_property, Status, (const CompiledModel*, const char*, char**))                        \
  X(ov_compiled_model_export_model, Status, (const CompiledModel*, const char*))                                \
  X(ov_compiled_model_free, void, (CompiledModel*))                                                             \
  X(ov_compiled_model_create_infer_request, Status, (const CompiledModel*, InferRequest**))                     \
  X(ov_infer_request_free, void, (InferRequest*))                                                               \
  X(ov_infer_request_set_input_tensor_by_index, Status, (InferRequest*, std::size_t, const TensorHandle*))      \
  X(ov_infer_request_get_output_tensor_by_index, Status, (const InferRequest*, std::size_t, TensorHandle**))    \
  X(ov_infer_request_infer, Status, (InferRequest*))                                                            \
  X(ov_tensor_create, Status, (ElementType, Shape, TensorHandle**))                                             \
  X(ov_tensor_create_from_host_ptr, Status, (ElementType, Shape, void*, TensorHandle**))                        \
  X(ov_tensor_get_element_type, Status, (const TensorHandle*, ElementType*))                                    \
  X(ov_tensor_get_shape, Status, (const TensorHandle*, Shape*))                                                 \
  X(ov_tensor_get_size, Status, (const TensorHandle*, std::size_t*))                                            \
  X(ov_tensor_get_byte_size, Status, (const TensorHandle*, std::size_t*))                                       \
  X(ov_tensor_data, Status, (const TensorHandle*, void**))                                                      \
  X(ov_tensor_free, void, (TensorHandle*))                                                                      \
  X(ov_shape_free, Status, (Shape*))

// Functions that older versions lack; then they are null. The first version that has one is at its end.
#define ASSAY_OPENVINO_NEWER_FUNCTIONS(X) \
  X(ov_tensor_create_from_string_array, Status, (const char**, std::size_t, Shape, TensorHandle**))  // 2025.2

namespace assay::backend::ov {

struct Functions {
#define ASSAY_OPENVINO_MEMBER(name, result, arguments) result(*name) arguments = nullptr;
  ASSAY_OPENVINO_FUNCTIONS(ASSAY_OPENVINO_MEMBER)
  ASSAY_OPENVINO_NEWER_FUNCTIONS(ASSAY_OPENVINO_MEMBER)
#undef ASSAY_OPENVINO_MEMBER
};

}  // namespace assay::backend::ov
