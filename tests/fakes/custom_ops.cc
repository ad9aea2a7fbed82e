// A library of custom operators for ONNX Runtime, like those that users have: Twice(x) = 2x, for vectors of float32, in
// the domain test.assay.
#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>

#include <cstdint>

namespace {

constexpr std::uint32_t kApi = 20;  // of the oldest ONNX Runtime that tests use

struct TwiceKernel {
  static void Compute(OrtKernelContext* call) {
    const Ort::KernelContext context(call);
    const Ort::ConstValue input = context.GetInput(0);
    const Ort::TensorTypeAndShapeInfo info = input.GetTensorTypeAndShapeInfo();
    float* output = context.GetOutput(0, info.GetShape()).GetTensorMutableData<float>();
    for (std::size_t i = 0; i < info.GetElementCount(); ++i) output[i] = 2 * input.GetTensorData<float>()[i];
  }
};

// The names of the members are ONNX Runtime's.
struct Twice : Ort::CustomOpBase<Twice, TwiceKernel> {
  Twice() { version = kApi; }
  static void* CreateKernel(const OrtApi& /*api*/, const OrtKernelInfo* /*info*/) { return new TwiceKernel; }
  static const char* GetName() { return "Twice"; }
  static std::size_t GetInputTypeCount() { return 1; }
  static ONNXTensorElementDataType GetInputType(std::size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }
  static std::size_t GetOutputTypeCount() { return 1; }
  static ONNXTensorElementDataType GetOutputType(std::size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }
};

}  // namespace

extern "C" OrtStatus* RegisterCustomOps(OrtSessionOptions* options, const OrtApiBase* base) {
  const OrtApi* api = base->GetApi(kApi);
  Ort::InitApi(api);
  static const Twice twice;
  static OrtCustomOpDomain* const domain = [api] {
    OrtCustomOpDomain* created = nullptr;
    Ort::ThrowOnError(api->CreateCustomOpDomain("test.assay", &created));
    Ort::ThrowOnError(api->CustomOpDomain_Add(created, &twice));
    return created;
  }();
  return api->AddCustomOpDomain(options, domain);
}
