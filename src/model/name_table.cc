#include "model/name_table.h"

#include <functional>

namespace assay::model {
namespace {

std::uint32_t hash_of(std::string_view name) {
  const std::size_t hash = std::hash<std::string_view>()(name);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

std::size_t NameTable::locate(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].id >= 0 && (slots_[at].hash != hash || this->name(slots_[at].id) != name)) at = (at + 1) & mask;
  return at;
}

void NameTable::resize(std::size_t slots) {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
  for (const Slot& slot : old) {
    if (slot.id < 0) continue;
    std::size_t at = slot.hash & (slots - 1);
    while (slots_[at].id >= 0) at = (at + 1) & (slots - 1);
    slots_[at] = slot;
  }
}

void NameTable::reserve(std::size_t count) {
  std::size_t slots = 16;
  while (slots < 2 * count) slots *= 2;
  if (slots > slots_.size()) resize(slots);
  names_.reserve(count);
}

std::pair<std::int32_t, bool> NameTable::add(std::string_view name) {
  if (slots_.size() <= 2 * names_.size()) resize(slots_.empty() ? 16 : 2 * slots_.size());
  const std::uint32_t hash = hash_of(name);
  Slot& slot = slots_[locate(name, hash)];
  if (slot.id >= 0) return {slot.id, false};
  slot = {hash, static_cast<std::int32_t>(names_.size())};
  names_.push_back(name);
  return {slot.id, true};
}

std::int32_t NameTable::find(std::string_view name) const {
  return slots_.empty() ? -1 : slots_[locate(name, hash_of(name))].id;
}

}  // namespace assay::model
