//===- Pictures.cpp - Everything can be drawn --------------------------------------------------------------------------===//

#include "Examination.h"

#include "draw/ContentsTrace.h"
#include "draw/DiagramScene.h"
#include "draw/TextDiagram.h"
#include "instantiate/ObserverList.h"
#include "scene/Picture.h"

namespace quadrille::compiler::fuzz {

void Examination::draw() {
  stage("drawing");
  const std::vector<Case> all = cases(questions.ps, {questions.parameters.back()});
  if (all.empty())
    return;
  // Wrong schedules are drawn up to the failure.
  const Case &instance = all[all.size() / 2];
  draw::DiagramRecorder arrows(schedule, 1, 4096, /*refuseMore=*/false);
  draw::ContentsTrace contents(schedule, 20000, std::nullopt);
  ObserverList both;
  both.list = {&arrows, &contents};
  try {
    CheckOptions drawn = options;
    drawn.lengths = {1000}; // one of the default lengths of the checks
    checkCase(schedule, instance, drawn, schedule.requiresCommutative, trees, &both);
  } catch (const Finding &found) {
    if (verdict.ok)
      finding("accepted, but drawing it fails", textOf(instance) + ": " + textOf(found.diagnostic));
  } catch (const draw::TooMuchToShow &) {
  }
  arrows.diagram.ranks = static_cast<std::uint32_t>(instance.p);
  arrows.diagram.caseText = textOf(instance);
  std::string text;
  llvm::raw_string_ostream out(text);
  draw::writeText(arrows.diagram, 100, {}, out);
  for (scene::PictureFormat format : {scene::PictureFormat::Svg, scene::PictureFormat::Tex})
    scene::write({draw::diagramScene(arrows.diagram, {}), {}, {}}, format, {}, std::nullopt, out);
  contents.tables();
}

} // namespace quadrille::compiler::fuzz
