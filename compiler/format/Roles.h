//===- Roles.h - What the grammar says of tokens ----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_FORMAT_ROLES_H
#define QUADRILLE_FORMAT_ROLES_H

namespace quadrille::compiler::format {

class Elements;

/// Sets the roles of all code, where lines may begin, and below what.
void assignRoles(Elements &elements);

} // namespace quadrille::compiler::format

#endif // QUADRILLE_FORMAT_ROLES_H
