//===- DiagramScene.h - A space-time diagram as a scene ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_DIAGRAMSCENE_H
#define QUADRILLE_DRAW_DIAGRAMSCENE_H

#include "Diagram.h"
#include "Look.h"

#include "scene/Scene.h"

namespace quadrille::compiler::draw {

/// Ranks are horizontal lines, rounds are columns. A message is an arrow from the sender's line to the receiver's, and begins with a tag
/// that names its data, or with a dot. Its step on a page is the index of its round in `diagram.rounds`.
scene::Scene diagramScene(const Diagram &diagram, const Look &look);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_DIAGRAMSCENE_H
