// Each optimizer reports "GraphTransformer NAME modified: 1 with status: OK" at the level of information, whenever it
// has run. This text is the same in all versions since 1.20.
#include "backend/onnxruntime/optimizers.h"

#include <algorithm>
#include <cstdio>

namespace assay::backend {
namespace {

constexpr std::string_view kBefore = "GraphTransformer ";
constexpr std::string_view kAfter = " modified: 1";

void ORT_API_CALL pass_on(void* log, OrtLoggingLevel severity, const char*, const char*, const char*,
                          const char* message) {
  static_cast<OptimizerLog*>(log)->take(severity, message);
}

}  // namespace

Answer<void> OptimizerLog::listen(const OnnxRuntimeLibrary& library, OrtSessionOptions* options) {
  ASSAY_TRY(library.check(library.api().SetUserLoggingFunction(options, pass_on, this), worker::Phase::start));
  return library.check(library.api().SetSessionLogSeverityLevel(options, ORT_LOGGING_LEVEL_INFO), worker::Phase::start);
}

void OptimizerLog::take(int severity, std::string_view message) {
  if (severity >= severity_) std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  const std::size_t end = message.find(kAfter);
  if (!message.starts_with(kBefore) || end == std::string_view::npos) return;
  const std::string name(message.substr(kBefore.size(), end - kBefore.size()));
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

}  // namespace assay::backend
