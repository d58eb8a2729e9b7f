//===- UsualTables.h - The tables that come with the library ---*- C++ -*-===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_USUALTABLES_H
#define QUADRILLE_RUNTIME_COLLECTIVES_USUALTABLES_H

#include <string_view>

namespace quadrille {
namespace detail {

extern const std::string_view usualShmTable, usualMpiTable;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_USUALTABLES_H
