// A value above the budget is written to a file, which is mapped and then unlinked: the mapping keeps the bytes
// available.
#include "reduce/values/value_store.h"

#include <utility>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

constexpr std::uint64_t kWorthAFile = 64 << 10;  // bytes

}  // namespace

base::Status ValueStore::set(const std::string& name, const tensor::Tensor& value) {
  const std::uint64_t bytes = value.bytes().size();  // 0 for strings, which stay in memory
  if (bytes >= kWorthAFile && held_ + bytes > budget_) {
    ASSAY_ASSIGN(tensor::Tensor in_file, to_file(value));
    values_.set(name, std::move(in_file));
    return {};
  }
  held_ += bytes;
  values_.set(name, value);
  return {};
}

base::Status ValueStore::set(const tensor::NamedTensors& values) {
  for (const auto& [name, value] : values) ASSAY_TRY(set(name, value));
  return {};
}

base::Expected<tensor::Tensor> ValueStore::to_file(const tensor::Tensor& value) const {
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create(folder_));
  const std::filesystem::path path = folder.path() / "value";
  ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path));
  ASSAY_TRY(file.write({reinterpret_cast<const char*>(value.bytes().data()), value.bytes().size()}));
  ASSAY_TRY(file.commit(base::Durability::process));
  ASSAY_ASSIGN(auto mapped, base::MappedFile::open(path));
  const std::span<const std::byte> bytes = mapped->bytes();
  return tensor::Tensor::make(value.type(), value.shape(), tensor::Buffer(bytes, std::move(mapped)));
}

}  // namespace assay::reduce
