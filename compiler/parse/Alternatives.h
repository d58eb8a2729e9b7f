//===- Alternatives.h - Which alternative of a rule a context is ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PARSE_ALTERNATIVES_H
#define QUADRILLE_PARSE_ALTERNATIVES_H

#include <typeinfo>

namespace quadrille::compiler {

/// `context` as the labelled alternative `Alternative`, or null if it is another one. ANTLR derives nothing from an alternative's
/// class, so that comparing types suffices, where a dynamic_cast would search their bases; there are twenty alternatives of an
/// expression.
template <class Alternative, class Context> Alternative *as(Context *context) {
  return typeid(*context) == typeid(Alternative) ? static_cast<Alternative *>(context) : nullptr;
}

} // namespace quadrille::compiler

#endif // QUADRILLE_PARSE_ALTERNATIVES_H
