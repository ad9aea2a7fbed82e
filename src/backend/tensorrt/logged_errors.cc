#include "backend/tensorrt/logged_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace assay::backend {

std::optional<std::string_view> reason_of_skipped_tactic(std::string_view message) {
  const std::size_t at = message.find("Skipping tactic");
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t reason = message.find("due to", at);
  if (reason == std::string_view::npos) return message.substr(at);
  return message.substr(reason, message.find(" on requested size", reason) - reason);  // the size and the tactic follow
}

std::string_view advice_about(std::string_view errors) {
  struct Known {
    std::string_view words;
    std::string_view advice;
  };
  // The first two are texts of CUDA.
  static constexpr std::array kKnown = {
      Known{"PTX was compiled with an unsupported toolchain",
            ". NVIDIA's driver is older than the CUDA with which TensorRT was built, so it can't compile TensorRT's "
            "kernels for this GPU. Install a newer driver, or a TensorRT that has the kernels of this GPU"},
      Known{"no kernel image is available",
            ". This TensorRT has no kernels for this GPU. Install a version that supports it, or all of TensorRT's "
            "libraries (libnvinfer_builder_resource_*)"},
      Known{"not found in Plugin Registry", ". Name the library that has the plug-in with --plugins"},
  };
  const auto* const known =
      std::ranges::find_if(kKnown, [&](const Known& row) { return errors.find(row.words) != std::string_view::npos; });
  return known == kKnown.end() ? std::string_view() : known->advice;
}

void LoggedErrors::add(std::string_view message) {
  constexpr std::size_t kFirst = 5;
  constexpr std::size_t kNewest = 15;
  if (reason_of_skipped_tactic(message)) {
    skipped_ = message;
    return;
  }
  if (std::ranges::find(first_, message) != first_.end() || std::ranges::find(newest_, message) != newest_.end())
    return;
  if (first_.size() < kFirst) {
    first_.emplace_back(message);
    return;
  }
  newest_.emplace_back(message);
  if (newest_.size() <= kNewest) return;
  newest_.pop_front();
  ++left_out_;
}

void LoggedErrors::clear() {
  *this = {};
}

std::vector<std::string> LoggedErrors::texts() const {
  std::vector<std::string> texts = first_;
  if (left_out_ > 0) texts.push_back(fmt::format("({} errors are left out)", left_out_));
  texts.insert(texts.end(), newest_.begin(), newest_.end());
  const auto lacks_tactics = [](const std::string& text) {
    return text.find("Could not find any implementation") != std::string::npos;
  };
  if (!skipped_.empty() && std::ranges::any_of(texts, lacks_tactics)) texts.push_back(skipped_);
  return texts;
}

}  // namespace assay::backend
