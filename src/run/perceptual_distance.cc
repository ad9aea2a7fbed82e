// The worker is Python's (backend/python), with one of its own modules. A worker serves a model, so it gets one that
// only declares the two images and their distance. The worker returns to the pool with the network loaded, ready for
// the next run of `assay run` in this process.
#include "run/perceptual_distance.h"

#include <onnx/onnx_pb.h>

#include <memory>
#include <mutex>
#include <utility>

#include "tensor/convert.h"

namespace assay::run {
namespace {

using base::ErrorKind;
using tensor::ElementType;
using tensor::Tensor;

constexpr const char* kName = "LPIPS";
constexpr const char* kDistance = "distance";

worker::ModelSource declare_network() {
  onnx::ModelProto model;
  const auto declare = [](onnx::ValueInfoProto& value, const char* name) {
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  };
  declare(*model.mutable_graph()->add_input(), "first");
  declare(*model.mutable_graph()->add_input(), "second");
  declare(*model.mutable_graph()->add_output(), kDistance);
  return worker::ModelBytes{tensor::Buffer::own(model.SerializeAsString()), {}};
}

// The module says in its own words what is missing, or what isn't an image.
base::Error to_error(const worker::Failure& failure, ErrorKind kind) {
  const auto* failed = std::get_if<worker::Failed>(&failure);
  return failed == nullptr ? worker::to_error(failure, kName) : base::Error{kind, failed->message, {}, {}};
}

class Network {
 public:
  explicit Network(std::unique_ptr<worker::Session> session) : session_(std::move(session)) {}

  base::Expected<double> distance(const Tensor& first, const Tensor& second) {
    tensor::NamedTensors feeds;
    ASSAY_ASSIGN(Tensor first_image, tensor::cast(first, ElementType::float32));
    ASSAY_ASSIGN(Tensor second_image, tensor::cast(second, ElementType::float32));
    feeds.set("first", std::move(first_image));
    feeds.set("second", std::move(second_image));
    const std::lock_guard lock(mutex_);
    const auto measured = session_->infer(feeds, {kDistance}, {});
    if (!measured) return base::fail(to_error(measured.error(), ErrorKind::invalid_input));
    return tensor::to_doubles(*measured->outputs.find(kDistance)).at(0);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<worker::Session> session_;
};

}  // namespace

base::Expected<compare::PerceptualDistance> perceptual_distance(const std::filesystem::path& python,
                                                                worker::Pool& pool) {
  const worker::EngineSpec spec{.kind = "python", .library = python, .options = {{"module", "lpips_distance"}}};
  auto session = pool.load(spec, declare_network(), {});
  if (!session) return base::fail(to_error(session.error(), ErrorKind::not_found));
  const auto network = std::make_shared<Network>(*std::move(session));
  return [network](const Tensor& first, const Tensor& second) { return network->distance(first, second); };
}

}  // namespace assay::run
