//===- ModelInForce.h - A port model with its number of ports ------------------------------*- C++ -*-===//
//
// A port model limits the transfers of a rank per round. Each model contains the one before it:
// half_duplex < telephone < full_duplex < ports(2) < ports(3) ... < shared. Sanders et al., Sect. 2.4.2.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_MODELINFORCE_H
#define QUADRILLE_IR_MODELINFORCE_H

#include "Schedule.h"

namespace quadrille::compiler {

struct ModelInForce {
  ir::PortModel model = ir::PortModel::HalfDuplex;
  std::int64_t ports = 1; // for PortModel::Ports

  std::string text() const;
  /// Whether this model allows everything that `other` allows.
  bool contains(const ModelInForce &other) const;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_IR_MODELINFORCE_H
