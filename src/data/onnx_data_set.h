// Reads ONNX's data sets: folders such as test_data_set_0, with a tensor in each of input_0.pb, input_1.pb and so on,
// and the expected outputs in output_0.pb and so on. ONNX's own tests have them, the models of its zoo, and many bug
// reports.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::data {

enum class DataSetPart { inputs, outputs };

// The runner to which expected outputs belong.
constexpr std::string_view kExpectedRunner = "expected";

// Returns true if the path is a folder with files of that part, or a .pb file.
bool is_data_set(const std::filesystem::path& path, DataSetPart part);
// Returns true if it has at least one of the two parts.
bool is_data_set(const std::filesystem::path& path);

// Returns a folder's data sets (test_data_set_0, test_data_set_1 and so on), in the order of their numbers; empty if it
// has none.
std::vector<std::filesystem::path> data_sets_in(const std::filesystem::path& folder);

// Reads a part of a data set in the order of the file numbers, or a single .pb file. A tensor without a name, or with
// the name of one before it, gets that of its file: "input_0", or "input_0_" if that is taken, too. Errors: those of
// model::load_tensor(); not_found if the data set has no such part.
base::Expected<tensor::NamedTensors> read_data_set(const std::filesystem::path& path, DataSetPart part);

}  // namespace assay::data
