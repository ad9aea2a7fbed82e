#include "backend/serve/open_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <span>

#include "base/mapped_file.h"

namespace assay::backend {
namespace {

using worker::Phase;

// Copies an object of the file, which may lie at any offset. Returns nullopt if the file ends before.
template <class T>
std::optional<T> read_at(std::span<const std::byte> file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T object;
  std::memcpy(&object, file.data() + offset, sizeof object);
  return object;
}

// Returns nullopt if it isn't a 64-bit ELF file, such as a script; dlopen() says so.
std::optional<Elf64_Ehdr> header_of(std::span<const std::byte> file) {
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(&header->e_ident[0], ELFMAG, SELFMAG) != 0) return std::nullopt;
  return header->e_ident[EI_CLASS] == ELFCLASS64 ? header : std::nullopt;
}

// Returns whether the file has all bytes that are mapped when it is opened.
bool is_complete(std::span<const std::byte> file, const Elf64_Ehdr& header) {
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = read_at<Elf64_Phdr>(file, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) return false;
    if (segment->p_type != PT_LOAD) continue;
    if (segment->p_offset > file.size() || file.size() - segment->p_offset < segment->p_filesz) return false;
  }
  return true;
}

}  // namespace

Answer<void> check_library(const std::string& path) {
  const auto file = base::MappedFile::open(path);
  const auto header = file ? header_of((*file)->bytes()) : std::nullopt;
  if (!header) return {};
  const auto program = base::MappedFile::open("/proc/self/exe");
  const auto own = program ? header_of((*program)->bytes()) : std::nullopt;
  if (own && own->e_machine != header->e_machine) {
    return refuse(Phase::start, 0, fmt::format("{} is a library for another processor", path));
  }
  if (is_complete((*file)->bytes(), *header)) return {};
  return refuse(Phase::start, 0, fmt::format("the end of the library {} is missing: copy or install it again", path));
}

Answer<void*> open_library(const std::string& path, int flags) {
  ASSAY_TRY(check_library(path));
  void* handle = ::dlopen(path.c_str(), flags);
  if (handle == nullptr) return refuse(Phase::start, 0, fmt::format("cannot open the library: {}", ::dlerror()));
  return handle;
}

}  // namespace assay::backend
