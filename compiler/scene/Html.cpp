//===- Html.cpp - Pages for browsers --------------------------------------------------------------------------------------===//

#include "Html.h"

#include "Px.h"
#include "Svg.h"

#include "llvm/Support/JSON.h"

namespace quadrille::compiler::scene {

static constexpr const char *style = R"css(
:root { color-scheme: light dark }
body { margin: 0; font: 14px/1.45 Inter, "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; background: #ffffff; color: #1f2328 }
nav { position: sticky; top: 0; z-index: 1; display: flex; gap: .7em; align-items: center; padding: .6em 28px; background: #f1f4f8; border-bottom: 1px solid #c4ccd4 }
nav[hidden] { display: none }
nav input { flex: 1; min-width: 8em; max-width: 40em; accent-color: #0072b2 }
nav output { min-width: 9em; font-variant-numeric: tabular-nums }
nav button { font: inherit; color: inherit; padding: .15em .7em; border: 1px solid #c4ccd4; border-radius: 5px; background: #ffffff; cursor: pointer }
main { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 28px }
figure { margin: 0; overflow-x: auto; max-width: 100% }
svg { display: block; max-width: none }
svg [data-step] { transition: opacity .18s }
svg [data-step].other { opacity: .1 }
svg [data-step].past { opacity: .38 }
svg [data-step].hidden { display: none }
svg [data-hover]:hover { filter: saturate(1.6) brightness(.92) }
.dim svg [data-hover]:not(.on) { opacity: .22 }
section { padding: 12px 28px 28px; overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
caption { text-align: left; padding: 0 0 .5em; color: #59636e }
th, td { text-align: left; padding: .18em .8em .18em 0; border-bottom: 1px solid #d5dbe1; white-space: nowrap }
th { font-weight: 600; color: #59636e }
tr.on td { background: #f1f4f8 }
#hint { position: fixed; z-index: 2; pointer-events: none; max-width: 32em; padding: .25em .6em; border-radius: 5px; background: #1f2328; color: #ffffff; font-size: 13px; white-space: pre-line }
#hint[hidden] { display: none }
@media (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #e6edf3 }
  nav { background: #171d25; border-color: #39424c }
  nav button { background: #0d1117; border-color: #39424c }
  nav input { accent-color: #4d9dcb }
  th, td { border-color: #303841 }
  th, caption { color: #9aa4af }
  tr.on td { background: #171d25 }
  #hint { background: #e6edf3; color: #0d1117 }
}
@media print { nav, section { display: none } }
)css";

static constexpr const char *script = R"js(
'use strict';
const data = JSON.parse(document.getElementById('steps').textContent);
const svg = document.querySelector('svg'), hint = document.getElementById('hint'), table = document.querySelector('table');
const slider = document.querySelector('input'), shownName = document.querySelector('output'), play = document.getElementById('play');

// The steps.
function show(position) {
  const step = data.steps[position];
  slider.value = position;
  shownName.textContent = step.name + (data.steps.length > 1 ? '  (' + position + '/' + (data.steps.length - 1) + ')' : '');
  for (const group of svg.querySelectorAll('[data-step]')) {
    const own = Number(group.dataset.step), isShown = step.shown < 0 ? !data.hides || own < 0 : own === step.shown;
    group.classList.toggle('hidden', data.hides && own !== step.shown);
    group.classList.toggle('past', !data.hides && !isShown && own < step.shown);
    group.classList.toggle('other', !data.hides && !isShown && own > step.shown);
  }
  table.replaceChildren();
  step.table.forEach((cells, i) => {
    const row = table.insertRow();
    for (const cell of cells) {
      const place = row.appendChild(document.createElement(i ? 'td' : 'th'));
      place.textContent = cell;
    }
  });
}
if (data.steps.length) {
  document.querySelector('nav').hidden = data.steps.length < 2;
  slider.max = data.steps.length - 1;
  slider.addEventListener('input', () => { stop(); show(Number(slider.value)); });
  const move = by => show(Math.max(0, Math.min(data.steps.length - 1, Number(slider.value) + by)));
  document.getElementById('back').addEventListener('click', () => { stop(); move(-1); });
  document.getElementById('on').addEventListener('click', () => { stop(); move(1); });
  document.addEventListener('keydown', event => {
    if (event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') move(-1);
    if (event.key === 'ArrowRight') move(1);
  });
  let timer = 0;
  function stop() { clearInterval(timer); timer = 0; play.textContent = 'play'; }
  play.addEventListener('click', () => {
    if (timer) return stop();
    if (Number(slider.value) === data.steps.length - 1) show(0);
    play.textContent = 'stop';
    timer = setInterval(() => Number(slider.value) === data.steps.length - 1 ? stop() : move(1), 900);
  });
  show(0);
}

// What is said of what the reader points at.
svg.addEventListener('mousemove', event => {
  const group = event.target.closest('[data-hover]');
  hint.hidden = !group;
  document.querySelectorAll('.on').forEach(one => one.classList.remove('on'));
  document.querySelector('figure').classList.toggle('dim', Boolean(group));
  if (!group) return;
  for (let one = group; one; one = one.parentElement.closest('[data-hover]')) one.classList.add('on');
  hint.textContent = group.dataset.hover;
  hint.style.left = Math.min(event.clientX + 14, innerWidth - hint.offsetWidth - 8) + 'px';
  hint.style.top = Math.min(event.clientY + 16, innerHeight - hint.offsetHeight - 8) + 'px';
});
svg.addEventListener('mouseleave', () => { hint.hidden = true; document.querySelector('figure').classList.remove('dim'); });
)js";

/// `</script>` in a text would end the script.
static std::string escapedJson(const llvm::json::Value &value) {
  std::string text, result;
  llvm::raw_string_ostream(text) << value;
  for (char c : text)
    result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

void writeHtml(const Page &page, Palette palette, std::optional<double> width, llvm::raw_ostream &out) {
  llvm::json::Array steps;
  for (const Page::Step &step : page.steps) {
    llvm::json::Array rows;
    for (const std::vector<std::string> &row : step.table)
      rows.push_back(llvm::json::Array(row));
    steps.push_back(llvm::json::Object{{"name", step.name}, {"shown", step.shown}, {"table", std::move(rows)}});
  }
  const llvm::json::Value data = llvm::json::Object{{"hides", page.others == Page::Others::Hide}, {"steps", std::move(steps)}};
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      << "<title>" << escapeXml(page.scene.title) << "</title>\n<style>" << style << "</style>\n</head>\n<body>\n"
      << "<nav hidden><button id=\"back\" aria-label=\"back\">&#x2039;</button><input type=\"range\" min=\"0\" value=\"0\" step=\"1\" aria-label=\"which part is shown\">"
         "<button id=\"on\" aria-label=\"on\">&#x203a;</button><button id=\"play\">play</button><output aria-live=\"polite\"></output></nav>\n"
         "<main>\n<figure>\n";
  writeSvg(page.scene, palette, width, {.follows = true, .insideHtml = true}, out);
  out << "</figure>\n<section><table></table></section>\n</main>\n<div id=\"hint\" role=\"status\" hidden></div>\n"
      << "<script type=\"application/json\" id=\"steps\">" << escapedJson(data) << "</script>\n<script>" << script << "</script>\n</body>\n</html>\n";
}

} // namespace quadrille::compiler::scene
