#include "data/onnx_data_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "data/number_in_name.h"
#include "model/weights/tensor_file.h"

namespace assay::data {
namespace {

namespace fs = std::filesystem;

struct Numbered {
  std::uint64_t number = 0;
  fs::path path;
};

std::string_view prefix_of(DataSetPart part) {
  return part == DataSetPart::inputs ? "input_" : "output_";
}

// Returns the entries of a folder with a number between the prefix and the suffix, by number; none if it can't be
// listed.
std::vector<fs::path> numbered_entries(const fs::path& folder, std::string_view prefix, std::string_view suffix) {
  std::vector<Numbered> found;
  const auto entries = base::list_folder(folder);
  if (!entries) return {};
  for (const fs::path& entry : *entries) {
    const auto number = number_in_name(entry.filename().string(), prefix, suffix);
    if (number) found.push_back({*number, entry});
  }
  std::ranges::stable_sort(found, {}, &Numbered::number);
  std::vector<fs::path> paths;
  for (Numbered& entry : found) paths.push_back(std::move(entry.path));
  return paths;
}

std::vector<fs::path> files_of(const fs::path& path, DataSetPart part) {
  std::error_code error;
  if (fs::is_directory(path, error)) return numbered_entries(path, prefix_of(part), ".pb");
  return path.extension() == ".pb" ? std::vector{path} : std::vector<fs::path>();
}

}  // namespace

bool is_data_set(const fs::path& path, DataSetPart part) {
  return !files_of(path, part).empty();
}

bool is_data_set(const fs::path& path) {
  return is_data_set(path, DataSetPart::inputs) || is_data_set(path, DataSetPart::outputs);
}

std::vector<fs::path> data_sets_in(const fs::path& folder) {
  std::vector<fs::path> sets = numbered_entries(folder, "test_data_set_", "");
  std::erase_if(sets, [](const fs::path& path) { return !is_data_set(path); });
  return sets;
}

base::Expected<tensor::NamedTensors> read_data_set(const fs::path& path, DataSetPart part) {
  const std::vector<fs::path> files = files_of(path, part);
  if (files.empty()) {
    return base::fail(base::ErrorKind::not_found, fmt::format("the data set has no file {}0.pb", prefix_of(part)),
                      path.string());
  }
  tensor::NamedTensors tensors;
  for (const fs::path& file : files) {
    ASSAY_ASSIGN(auto item, model::load_tensor(file));
    const bool takes_name = !item.first.empty() && !tensors.contains(item.first);
    std::string name = takes_name ? std::move(item.first) : file.stem().string();
    while (tensors.contains(name)) name += '_';  // a tensor of another file has that name
    tensors.set(std::move(name), std::move(item.second));
  }
  return tensors;
}

}  // namespace assay::data
