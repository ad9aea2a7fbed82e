#include "compare/error_pictures.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/strings.h"
#include "compare/error_grid.h"
#include "compare/error_spread.h"

namespace assay::compare {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPictureCells = 128;  // rows and columns of a heat map in a file
constexpr std::size_t kTextRows = 16;
constexpr std::size_t kTextColumns = 64;

// Returns a tensor's name as part of a file name: without folders and not too long.
std::string file_name(std::string_view output) {
  constexpr std::size_t kLongest = 100;
  std::string name;
  for (const char c : output.substr(0, kLongest)) {
    const bool fine =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
    name += fine ? c : '_';
  }
  return name;
}

// Indents lines under a heading like the statistics in the log.
std::string indented(std::string_view text) {
  return base::replace_all(text, "\n", "\n        ");
}

}  // namespace

void ErrorPictures::save(const fs::path& folder, const std::string& name, const std::string& picture) {
  if (!status_) return;
  fs::path path = folder / (name + ".svg");
  std::error_code error;
  for (int i = 1; fs::exists(path, error); ++i) path = folder / fmt::format("{}_{}.svg", name, i);
  status_ = base::write_file(path, picture);
  if (status_) log_.info("        Saved {}", path.string());
}

void ErrorPictures::draw_heat_maps(const std::string& output, const PairFacts& facts) {
  if (!options_.heat_map_folder.empty()) {
    const ErrorGrids grids = make_grids(facts, kPictureCells, kPictureCells);
    const std::string shape = tensor::format_shape(facts.first().shape());
    save(options_.heat_map_folder, "absolute_error_" + file_name(output),
         draw_svg(grids.absolute, fmt::format("Absolute errors of {} {}", output, shape)));
    save(options_.heat_map_folder, "relative_error_" + file_name(output),
         draw_svg(grids.relative, fmt::format("Relative errors of {} {}", output, shape)));
  }
  if (!options_.show_heat_maps) return;
  const ErrorGrids grids = make_grids(facts, kTextRows, kTextColumns);
  const auto show = [&](const ErrorGrid& grid, std::string_view what) {
    log_.info(
        "        {} errors of '{}', {}; from {:.3g} (light) to {:.3g} (dark), blank: 0\n"
        "        {}",
        what, output, layout_text(grid), grid.least_positive(), grid.max(), indented(draw_text(grid)));
  };
  show(grids.absolute, "Absolute");
  show(grids.relative, "Relative");
}

void ErrorPictures::draw_plots(const std::string& output, const PairFacts& facts, const Tolerances& tolerances) {
  const ErrorSpread spread = spread_of(facts);
  if (!options_.plot_folder.empty()) {
    save(options_.plot_folder, "error_metrics_" + file_name(output),
         draw_svg(spread, "Errors of " + output, tolerances.absolute, tolerances.relative));
  }
  if (!options_.show_plots) return;
  log_.info("        Absolute errors of '{}' by size\n        {}", output, indented(draw_text(spread.absolute)));
  log_.info("        Relative errors of '{}' by size\n        {}", output, indented(draw_text(spread.relative)));
}

void ErrorPictures::draw(std::string_view output, const PairFacts& facts, const Tolerances& tolerances) {
  if (!status_ || facts.first().size() == 0) return;
  const std::string name(output);
  if (options_.show_heat_maps || !options_.heat_map_folder.empty()) draw_heat_maps(name, facts);
  if (options_.show_plots || !options_.plot_folder.empty()) draw_plots(name, facts, tolerances);
}

}  // namespace assay::compare
