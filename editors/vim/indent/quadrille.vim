" Two blanks for each open brace.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=QuadrilleIndent(v:lnum) indentkeys=0{,0},!^F,o,O
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*QuadrilleIndent')
  finish
endif

" Braces that a line leaves open, less those that it closes of others.
function s:Braces(text)
  let code = substitute(a:text, '//.*\|/\*.\{-}\*/', '', 'g')
  return count(code, '{') - count(code, '}') + (code =~# '^\s*}')
endfunction

function QuadrilleIndent(number)
  let before = prevnonblank(a:number - 1)
  let indent = before == 0 ? 0 : indent(before) + shiftwidth() * s:Braces(getline(before))
  return getline(a:number) =~# '^\s*}' ? indent - shiftwidth() : indent
endfunction
