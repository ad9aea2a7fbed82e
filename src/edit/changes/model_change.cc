// A change is void if what it names doesn't exist, or if it leaves something missing that tidying can't supply. Whether
// a name exists is checked before anything is done. What is missing shows only once all changes are made, since another
// change may have removed its reader as well. Everything is then repeated without the changes to blame, of which each
// round finds at least one.
#include "edit/changes/model_change.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/at.h"
#include "edit/changes/apply_primitive.h"
#include "edit/changes/model_editor.h"
#include "edit/changes/tidy_model.h"

namespace assay::edit {
namespace {

// Returns the number of changes performed.
int perform_all(ModelEditor& editor, const std::vector<const ModelChange*>& changes, const std::set<int>& skipped) {
  int performed = 0;
  for (int i = 0; i < static_cast<int>(changes.size()); ++i) {
    const std::vector<Primitive>& primitives = changes[base::at(i)]->primitives;
    if (skipped.contains(i)) continue;
    if (!std::ranges::all_of(primitives, [&](const Primitive& primitive) { return finds(editor, primitive); }))
      continue;
    editor.start_change(i);
    for (const Primitive& primitive : primitives) perform(editor, primitive);
    ++performed;
  }
  return performed;
}

}  // namespace

Applied apply(const model::Model& model, const std::vector<const ModelChange*>& changes, const ValueInfos& known) {
  std::set<int> skipped;
  while (true) {
    ModelEditor editor(model);
    const int performed = perform_all(editor, changes, skipped);
    editor.settle();
    const std::set<int> blamed = tidy(editor, known);
    if (blamed.empty()) {
      editor.rename_tensors();
      return {std::move(editor.model()), performed};
    }
    skipped.insert(blamed.begin(), blamed.end());
  }
}

}  // namespace assay::edit
