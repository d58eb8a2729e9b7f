//===- NetworkScene.h - A network and its loads as a scene ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_NETWORKSCENE_H
#define QUADRILLE_DRAW_NETWORKSCENE_H

#include "Look.h"
#include "Network.h"

#include "scene/Scene.h"

namespace quadrille::compiler::draw {

/// Panels lie beside each other, or all in one place, so that a page shows one after the other.
enum class Sheet { Spread, Stack };

/// Width and colour of a link show its load. The step of a panel on a page is its index in `picture.panels()`.
scene::Scene networkScene(const NetworkPicture &picture, const Look &look, Sheet sheet);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_NETWORKSCENE_H
