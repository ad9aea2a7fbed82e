// Combines lambdas into one visitor for std::visit.
#pragma once

namespace assay::worker {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace assay::worker
