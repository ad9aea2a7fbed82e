#include "misbehave.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace fake_tensorrt {

bool misbehaves(std::string_view word) {
  const char* chosen = std::getenv("ASSAY_FAKE_TENSORRT");
  return chosen != nullptr && word == chosen;
}

bool refuses(const std::string& function, nvinfer1::ILogger& logger) {
  if (!misbehaves("refuse_settings")) return false;
  log_error(logger, function + ": Error Code 3: API Usage Error (this machine can't)");
  return true;
}

void crash() {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn the signal into an exit status
  std::raise(SIGSEGV);
  std::abort();
}

void hang() {
  for (;;) pause();
}

void break_rule(const std::string& rule) {
  std::fprintf(stderr, "the fake TensorRT: %s\n", rule.c_str());
  std::abort();
}

bool is_lean() {
  Dl_info found = {};
  if (dladdr(reinterpret_cast<const void*>(&is_lean), &found) == 0) return false;
  const std::filesystem::path path = found.dli_fname;
  for (const std::filesystem::path& part : {path.filename(), path.parent_path().filename()}) {
    if (part.string().find("lean") != std::string::npos) return true;
  }
  return false;
}

bool is_of_this_library(const void* object) {
  const void* functions = nullptr;
  std::memcpy(&functions, object, sizeof functions);
  Dl_info own = {};
  Dl_info found = {};
  return dladdr(reinterpret_cast<const void*>(&is_of_this_library), &own) != 0 && dladdr(functions, &found) != 0 &&
         own.dli_fbase == found.dli_fbase;
}

void hide_library_of(void* object) {
  constexpr int kBefore = 2;  // the offset and the type
  constexpr int kAll = 4;     // and two destructors
  static const auto* const copy = new std::array<const void*, kAll>([object] {
    const void* const* functions = nullptr;
    std::memcpy(&functions, object, sizeof functions);
    std::array<const void*, kAll> table = {};
    std::copy_n(functions - kBefore, kAll, table.begin());
    return table;
  }());
  const void* const* functions = copy->data() + kBefore;
  std::memcpy(object, &functions, sizeof functions);
}

void crash_if_too_old(const char* function) {
  if (NV_TENSORRT_MAJOR < 11 && (is_lean() || misbehaves("hide_runtime")))
    break_rule(std::string("a lean runtime of TensorRT 10.0 has no ") + function);
}

void crash_if_unknown(const char* enumeration, int enumerator, int count) {
  if (NV_TENSORRT_MAJOR < 11 && is_lean() && enumerator >= count)
    break_rule(std::string(enumeration) + " of TensorRT 10.0 has no " + std::to_string(enumerator));
}

void crash_if_unknown_mask(const char* enumeration, unsigned mask, int count) {
  for (int number = 0; mask >> number != 0; ++number) {
    if ((mask >> number & 1U) != 0) crash_if_unknown(enumeration, number, count);
  }
}

void warn_if_asked(nvinfer1::ILogger& logger, const std::string& message) {
  if (!misbehaves("warn")) return;
  for (int i = 0; i < 2; ++i) log_warning(logger, message);
}
void log_info(nvinfer1::ILogger& logger, const std::string& message) {
  logger.log(nvinfer1::ILogger::Severity::kINFO, message.c_str());
}
void log_warning(nvinfer1::ILogger& logger, const std::string& message) {
  logger.log(nvinfer1::ILogger::Severity::kWARNING, message.c_str());
}
void log_error(nvinfer1::ILogger& logger, const std::string& message) {
  logger.log(nvinfer1::ILogger::Severity::kERROR, message.c_str());
}

}  // namespace fake_tensorrt
