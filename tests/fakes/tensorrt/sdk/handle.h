// Joins the two halves of TensorRT's objects. Its public classes, such as nvinfer1::IBuilder, only forward to an
// abstract class of the library, such as nvinfer1::apiv::VBuilder, through the pointer mImpl. A handle is the public
// object, and owns the implementation.
#pragma once

#include <utility>

namespace fake_tensorrt {

template <class Interface, class Implementation>
class Handle final : public Interface {
 public:
  template <class... Arguments>
  explicit Handle(Arguments&&... arguments) : implementation(std::forward<Arguments>(arguments)...) {
    this->mImpl = &implementation;
  }
  Implementation implementation;
};

// Returns the implementation behind a public object that this library has created as Handle<Interface, Implementation>.
template <class Implementation, class Interface>
Implementation& implementation_of(Interface& object) {
  return static_cast<Handle<Interface, Implementation>&>(object).implementation;
}
template <class Implementation, class Interface>
const Implementation& implementation_of(const Interface& object) {
  return static_cast<const Handle<Interface, Implementation>&>(object).implementation;
}

}  // namespace fake_tensorrt
