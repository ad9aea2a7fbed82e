// Pictures of errors, in files and in the log: heat maps show where errors are, plots how large they are.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "compare/pair_facts.h"

namespace assay::compare {

struct PictureOptions {
  std::filesystem::path heat_map_folder;  // empty: no files
  std::filesystem::path plot_folder;
  bool show_heat_maps = false;
  bool show_plots = false;

  [[nodiscard]] bool any() const {
    return show_heat_maps || show_plots || !heat_map_folder.empty() || !plot_folder.empty();
  }
};

class ErrorPictures {
 public:
  // The log must outlive this object.
  ErrorPictures(PictureOptions options, base::Log& log) : options_(std::move(options)), log_(log) {}

  // Draws one output of one iteration. Never overwrites a file: if the name is taken, a number is appended.
  void draw(std::string_view output, const PairFacts& facts, const Tolerances& tolerances);
  // Returns the first error of writing a file; nothing is drawn after it.
  [[nodiscard]] const base::Status& status() const { return status_; }

 private:
  void draw_heat_maps(const std::string& output, const PairFacts& facts);
  void draw_plots(const std::string& output, const PairFacts& facts, const Tolerances& tolerances);
  void save(const std::filesystem::path& folder, const std::string& name, const std::string& picture);

  PictureOptions options_;
  base::Log& log_;
  base::Status status_;
};

}  // namespace assay::compare
