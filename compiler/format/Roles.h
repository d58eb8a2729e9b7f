//===- Roles.h - What the grammar says of tokens ----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_FORMAT_ROLES_H
#define QUADRILLE_FORMAT_ROLES_H

namespace quadrille::compiler::format {

class Elements;

/// Sets for all code its role, whether a line may begin with it, and the anchor of such a line.
void assignRoles(Elements &elements);

} // namespace quadrille::compiler::format

#endif // QUADRILLE_FORMAT_ROLES_H
