// Removes elements from a repeated field of a message.
#pragma once

namespace assay::edit {

// Keeps the elements that `keep` accepts, in their order. `keep` is asked once about each element, from the first to
// the last. Returns the number of elements removed.
template <class Field, class Keep>
int keep_if(Field& field, Keep keep) {
  int kept = 0;
  for (int i = 0; i < field.size(); ++i) {
    if (!keep(field.Get(i))) continue;
    if (kept != i) field.SwapElements(kept, i);
    ++kept;
  }
  const int removed = field.size() - kept;
  if (removed > 0) field.DeleteSubrange(kept, removed);
  return removed;
}

}  // namespace assay::edit
