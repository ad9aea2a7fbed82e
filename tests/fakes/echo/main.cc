// assay-worker-echo: an engine that computes nothing, but returns what it is fed. It is the smallest complete engine,
// to start from when you add one (CONTRIBUTING.md).
#include <map>
#include <string>
#include <vector>

#include "backend/serve/check_feeds.h"
#include "backend/serve/model_ports.h"
#include "backend/serve/serve.h"
#include "worker/child.h"

namespace assay::backend {
namespace {

class Echo final : public EngineAdapter {
 public:
  Answer<std::string> open(const std::string& library, const std::map<std::string, std::string>& options) override {
    for (const auto& [name, value] : options) {
      if (name != "volume") return refuse(worker::Phase::start, 0, "no option '" + name + "'");
    }
    return "Echo from " + library;  // the version that is shown
  }
  Answer<worker::SessionInfo> load(const worker::ModelSource& model) override {
    ASSAY_ASSIGN(const ModelPorts ports, read_model_ports(model));  // or what the engine itself says
    info_ = {.engine_version = {}, .inputs = ports.inputs, .outputs = ports.outputs, .load_s = 0};
    return info_;
  }
  Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds,
                                    const std::vector<std::string>& wanted) override {
    ASSAY_TRY(check_feeds(feeds, info_.inputs, {}));
    ASSAY_ASSIGN(const std::vector<std::string> names, check_wanted(wanted, info_.outputs));
    worker::InferResult result;
    for (const std::string& name : names) result.outputs.set(name, feeds.begin()->second);
    return result;
  }
  void unload() override {}

 private:
  worker::SessionInfo info_;
};

}  // namespace
}  // namespace assay::backend

int main() {
  assay::backend::Echo echo;
  return assay::backend::serve(echo, assay::worker::kChannel);
}
