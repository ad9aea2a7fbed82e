// Compares messages of protobuf whose parts aren't listed one by one.
#pragma once

#include <google/protobuf/message_lite.h>

#include <algorithm>

namespace assay::diff {

inline bool equal_bytes(const google::protobuf::MessageLite& first, const google::protobuf::MessageLite& second) {
  return first.SerializePartialAsString() == second.SerializePartialAsString();
}

template <class List>
bool equal_messages(const List& first, const List& second) {
  return std::ranges::equal(first, second, [](const auto& a, const auto& b) { return equal_bytes(a, b); });
}

}  // namespace assay::diff
