// A name that earlier lists don't have is inserted after its predecessor in its own list.
#include "run/merge_orders.h"

#include <iterator>
#include <list>
#include <unordered_map>

namespace assay::run {

std::vector<std::string> merge_orders(const std::vector<std::vector<std::string>>& lists) {
  std::list<std::string> all;
  std::unordered_map<std::string, std::list<std::string>::iterator> places;
  for (const std::vector<std::string>& names : lists) {
    auto next = all.begin();
    for (const std::string& name : names) {
      const auto known = places.find(name);
      if (known == places.end()) {
        places.emplace(name, all.insert(next, name));
      } else {
        next = std::next(known->second);
      }
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace assay::run
