// The names of a graph's tensors in two precisions: as they are produced, and as their readers want them.
//
// Use it in three steps: define all tensors and say what their readers want; choose names; ask for names. A tensor
// keeps its name in the precision in which it is produced, and gets another name in the other one, if that is wanted.
// Outputs of the model keep their names in float32. If one is produced in float16, it has another name there, and its
// readers read the float32 output, so that cutting the graph at the tensors that users know cuts all of it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "surgeon/float16/rules.h"

namespace assay::surgeon {

// A Cast that converts a tensor to the other precision.
struct PrecisionCast {
  std::string from;
  std::string to;
  Precision precision = Precision::float32;  // of `to`
};

class Float16Scope {
 public:
  enum class Origin {
    given,     // an input of the graph
    weight,    // has no precision of its own: it exists in each one that is wanted
    produced,  // an output of a node
  };
  struct Entry {
    std::string type;
    Origin origin = Origin::produced;
    Precision precision = Precision::float32;  // in which it is produced or given
    bool is_output = false;                    // an output of the model
    std::map<Precision, bool> wanted;

    std::map<Precision, std::string> names;  // for each precision wanted or produced
    std::string produced_name;               // the name as output of its producer
    std::vector<PrecisionCast> casts;        // in the required order
  };

  // Tensors of `outer` are visible unless hidden. `types` are those of the graph.
  Float16Scope(Float16Scope* outer, Types types) : outer_(outer), types_(std::move(types)) {}

  void define(const std::string& name, Origin origin, Precision precision, bool is_output);
  void set_type(const std::string& name, std::string type) { types_[name] = std::move(type); }
  // Returns the type of the tensor that the name means here; empty if unknown.
  [[nodiscard]] const std::string& type(const std::string& name) const;

  void want(const std::string& name, Precision precision);
  // The same for a reader that takes either precision. It can read the tensor by its own name. Weights become float16.
  void want_any(const std::string& name);
  // Lets the tensor, which a node of this very graph produces, be produced in float32 if a reader wants that. Returns
  // whether that is the case.
  bool keep_float32(const std::string& name);
  // Returns whether a sequence or an optional would have to be cast, for which ONNX has no operator.
  [[nodiscard]] bool casts_others() const;
  // `fresh` returns an unused name. casts_others() must be false.
  void choose_names(const std::function<std::string(const std::string& base)>& fresh);

  // Returns the name in a precision that was wanted. Tensors other than float32 have one name.
  [[nodiscard]] std::string name(const std::string& name, Precision precision) const;
  // Returns a float32 tensor of this very graph, or null.
  [[nodiscard]] const Entry* find(const std::string& name) const;

 private:
  Entry* look_up(const std::string& name);  // here and in the graphs around; null if no graph defines it

  Float16Scope* outer_;
  Types types_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace assay::surgeon
