// Maps names to small integers in order of insertion: the dictionary of GraphView.
//
// Uses open addressing over an array of (hash, id): a graph of 100,000 nodes has several 100,000 names, and a map that
// allocates for each would dominate the indexing time. Refers to the names' storage, which must outlive it.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::model {

class NameTable {
 public:
  // Reserves space for about `count` names, so that adding them does not rehash.
  void reserve(std::size_t count);

  // Returns the id of a name, counted from 0; the flag is true if the name is new.
  std::pair<std::int32_t, bool> add(std::string_view name);
  [[nodiscard]] std::int32_t find(std::string_view name) const;  // -1 if it was never added
  [[nodiscard]] std::string_view name(std::int32_t id) const { return names_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t id = -1;
  };
  // Returns the slot that holds the name, or the empty one where it belongs.
  [[nodiscard]] std::size_t locate(std::string_view name, std::uint32_t hash) const;
  void resize(std::size_t slots);

  std::vector<std::string_view> names_;
  std::vector<Slot> slots_;  // a power of two of them, at most half in use
};

}  // namespace assay::model
