#include "backend/onnxruntime/external_data.h"

#include <algorithm>

namespace assay::backend {
namespace {

// The encoding of a StringStringEntryProto: field 1 (key) with 8 bytes, "location"; then field 2 (value) with its
// length.
constexpr std::string_view kKey("\x0a\x08location\x12", 11);

// Removes a protobuf varint from the front of `bytes` and returns it. If it is malformed, returns more than the
// remaining size.
std::size_t take_length(std::string_view& bytes) {
  std::size_t length = 0;
  for (unsigned shift = 0; shift < 32 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    length |= static_cast<std::size_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return length;
  }
  return bytes.size() + 1;
}

bool stays_below(const std::filesystem::path& path) {
  return path.is_relative() && std::ranges::find(path, "..") == path.end();
}

}  // namespace

std::vector<std::string> external_locations(std::string_view model) {
  std::vector<std::string> found;
  for (std::size_t at = model.find(kKey); at != std::string_view::npos; at = model.find(kKey, at + 1)) {
    std::string_view rest = model.substr(at + kKey.size());
    const std::size_t length = take_length(rest);
    if (length > rest.size()) continue;
    const std::string_view location = rest.substr(0, length);
    if (std::ranges::find(found, location) == found.end()) found.emplace_back(location);
  }
  return found;
}

Answer<void> ExternalFiles::add(const OnnxRuntimeLibrary& library, std::string_view model,
                                const std::filesystem::path& folder, OrtSessionOptions* options) {
  const std::vector<std::string> locations = external_locations(model);
  std::vector<const char*> names;
  std::vector<char*> contents;
  std::vector<std::size_t> lengths;
  for (const std::string& location : locations) {
    if (!stays_below(location)) continue;
    const auto file = base::MappedFile::open(folder / location);
    if (!file) continue;
    files_.push_back(*file);
    names.push_back(location.c_str());
    contents.push_back(const_cast<char*>(reinterpret_cast<const char*>((*file)->bytes().data())));
    lengths.push_back((*file)->bytes().size());
  }
  if (names.empty()) return {};
  return library.check(library.api().AddExternalInitializersFromFilesInMemory(options, names.data(), contents.data(),
                                                                              lengths.data(), names.size()),
                       worker::Phase::load);
}

}  // namespace assay::backend
