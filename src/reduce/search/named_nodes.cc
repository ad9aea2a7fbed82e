// Whole words are looked up in the model's names, so a name inside another word doesn't match.
#include "reduce/search/named_nodes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "reduce/judge/names_in_text.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kMostNodes = 12;
constexpr std::size_t kMostReaders = 4;  // of a named constant; one with more readers points at none of them

std::unordered_map<std::string_view, edit::NodeId> index_names(const edit::Subject& subject) {
  std::unordered_map<std::string_view, edit::NodeId> index;
  for (const edit::NodeId id : subject.nodes()) {
    const std::string& name = subject.view().node(id).name();
    if (!name.empty()) index.emplace(name, id);
  }
  return index;
}

}  // namespace

Nodes nodes_named_in(const edit::Subject& subject, const std::string& text) {
  const std::vector<std::string> words = names_in_text(text);
  if (words.empty()) return {};
  const auto by_name = index_names(subject);
  const std::vector<edit::NodeId> all(subject.nodes().begin(), subject.nodes().end());
  Nodes found;
  const auto add = [&](edit::NodeId id) {
    if (std::ranges::binary_search(all, id) && std::ranges::find(found, id) == found.end()) found.push_back(id);
  };
  for (const std::string& word : words) {
    const edit::TensorId tensor = subject.view().find(word);
    // An output that differs says where the check looked, not what is wrong.
    if (subject.view().is_graph_output(tensor)) continue;
    if (const auto node = by_name.find(word); node != by_name.end()) add(node->second);
    if (tensor == edit::kNone) continue;
    if (const edit::NodeId producer = subject.view().producer(tensor); producer != edit::kNone) add(producer);
    const auto readers = subject.view().consumers(tensor);
    if (subject.is_constant(tensor) && readers.size() <= kMostReaders) std::ranges::for_each(readers, add);
    if (found.size() > kMostNodes) return {};
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace assay::reduce
