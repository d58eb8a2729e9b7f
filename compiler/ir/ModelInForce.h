//===- ModelInForce.h - How many transfers a rank may take part in per round ------------------------------*- C++ -*-===//
//
// half_duplex < telephone < full_duplex < ports(2) < ports(3) ... < shared. Sanders et al., Sect. 2.4.2.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_MODELINFORCE_H
#define QUADRILLE_IR_MODELINFORCE_H

#include "Schedule.h"

namespace quadrille::compiler {

struct ModelInForce {
  ir::PortModel model = ir::PortModel::HalfDuplex;
  std::int64_t ports = 1; // Ports

  std::string text() const;
  /// Everything allowed by `other` is allowed by this.
  bool contains(const ModelInForce &other) const;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_IR_MODELINFORCE_H
