//===- ModelInForce.cpp - A port model with its number of ports ---------------------------------------===//

#include "ModelInForce.h"

namespace quadrille::compiler {

std::string ModelInForce::text() const {
  const std::string name = ir::portModelName(model).str();
  return model == ir::PortModel::Ports ? name + "(" + std::to_string(ports) + ")" : name;
}

bool ModelInForce::contains(const ModelInForce &other) const {
  if (model == ir::PortModel::Ports && ports < 1)
    return other.model == ir::PortModel::Ports && other.ports < 1; // ports(0) allows no transfers
  // ports(1) is full_duplex.
  auto level = [](const ModelInForce &m) {
    return m.model == ir::PortModel::Ports && m.ports == 1 ? ir::PortModel::FullDuplex : m.model;
  };
  if (level(*this) != level(other))
    return level(*this) > level(other);
  return model != ir::PortModel::Ports || ports >= other.ports;
}

} // namespace quadrille::compiler
