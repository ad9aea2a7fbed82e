// Messages of one model in a repeated field of another, without a copy.
//
// A candidate of the reducer is a part of a model: the same nodes and tensors, fewer of them. Copying them, and freeing
// the copies, took more time than all else that a candidate costs, and the more of it the larger the heap was. This is
// the idiom that protobuf documents for pointers that a field does not own: they are taken out again before the field
// goes.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>

namespace assay::model {

// For a field of a message that is not on an arena. What is lent is never changed or owned by the field: whoever has
// the message may only read it, and copy it, which makes copies of what is lent. Fields and what is lent to them must
// outlive this object.
template <class Message>
class LentMessages {
 public:
  using Field = google::protobuf::RepeatedPtrField<Message>;
  explicit LentMessages(Field& field) : field_(field), begin_(field.size()) {}
  LentMessages(const LentMessages&) = delete;
  LentMessages& operator=(const LentMessages&) = delete;
  ~LentMessages() { field_.UnsafeArenaExtractSubrange(begin_, count_, nullptr); }

  void reserve(std::size_t count) { field_.Reserve(begin_ + static_cast<int>(count)); }
  // To be called before anything else is added to the field.
  void add(const Message& message) {
    field_.UnsafeArenaAddAllocated(const_cast<Message*>(&message));
    ++count_;
  }

 private:
  Field& field_;
  int begin_;  // of what is lent
  int count_ = 0;
};

}  // namespace assay::model
