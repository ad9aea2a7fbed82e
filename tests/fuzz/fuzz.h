// What the fuzz targets share. A target is a function that gets any bytes and must neither crash, hang, leak nor
// violate what it requires. libFuzzer calls it with bytes that it varies; replay_main.cc calls it with saved ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

// Returns 0. Its name and type are those that libFuzzer expects.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {

std::string_view text_of(const std::uint8_t* data, std::size_t size);

// Takes the first byte off `bytes` and returns its remainder modulo `count`, by which targets choose between functions.
// Returns 0 if there is no byte.
unsigned choose(std::string_view& bytes, unsigned count);

// Splits at the first newline. The second part is empty if there is none.
std::pair<std::string_view, std::string_view> split_line(std::string_view text);

// Returns the path of a file called `name` in a folder of this process. The folder is removed at the end.
std::filesystem::path scratch_path(std::string_view name);
// Writes these bytes into that file, for functions that read files only.
std::filesystem::path scratch_file(std::string_view name, std::string_view bytes);

// Aborts with this sentence if the condition is false.
void require(bool condition, std::string_view sentence);

}  // namespace assay::fuzz
