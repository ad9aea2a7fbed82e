// The names of a graph's tensors in two precisions: as they are made, and as their readers want them.
//
// First every tensor is defined and every reader says what it wants; then names are chosen; then they can be asked for.
// A tensor keeps its name in the precision in which it is made, and has another name in the other, where that is wanted
// at all. Outputs of the model keep their names in float32: one that is made in float16 has another name there, and its
// readers get it by way of the output, so that whoever cuts the graph at the tensors that people know cuts all of it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "surgeon/float16_rules.h"

namespace assay::surgeon {

// A Cast that gives a tensor in the other precision.
struct PrecisionCast {
  std::string from;
  std::string to;
  Precision precision = Precision::float32;  // of `to`
};

class Float16Scope {
 public:
  enum class Origin {
    given,   // an input of the graph
    weight,  // has no precision of its own: it is there in each that is wanted
    made,    // by a node
  };
  struct Entry {
    std::string type;
    Origin origin = Origin::made;
    Precision precision = Precision::float32;  // in which it is made, or given
    bool is_output = false;                    // of the model
    std::map<Precision, bool> wanted;

    std::map<Precision, std::string> names;  // where it is wanted or made
    std::string made_name;                   // that its maker gives it
    std::vector<PrecisionCast> casts;        // in the order in which they have to come
  };

  // Tensors of `outer` are seen, where they are not hidden. `types` are those of the graph.
  Float16Scope(Float16Scope* outer, Types types) : outer_(outer), types_(std::move(types)) {}

  void define(const std::string& name, Origin origin, Precision precision, bool is_output);
  void set_type(const std::string& name, std::string type) { types_[name] = std::move(type); }
  // Of whatever the name means here; empty where that is not known.
  [[nodiscard]] const std::string& type(const std::string& name) const;

  void want(const std::string& name, Precision precision);
  // `fresh` makes a name that nothing has. Errors: unsupported where something would have to be cast that is no tensor.
  base::Status choose_names(const std::function<std::string(const std::string& base)>& fresh);

  // The name in a precision that was wanted. Tensors that are no float32 have one name.
  [[nodiscard]] std::string name(const std::string& name, Precision precision) const;
  // A float32 tensor of this very graph; null for all others.
  [[nodiscard]] const Entry* find(const std::string& name) const;

 private:
  Float16Scope* outer_;
  Types types_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace assay::surgeon
