" Writes the syntax class of every byte of some files: `FILE`, then a line of names for each line. And for lines of which the one before
" ends with a brace, or that are a brace below another, how they would be indented and how they are.
set nocompatible nomore noswapfile
let &runtimepath = $QUADRILLE_EDITOR . ',' . $VIMRUNTIME
filetype plugin indent on
syntax on
let s:out = []
for s:file in readfile($QUADRILLE_FILES)
  execute 'edit' fnameescape(s:file)
  call add(s:out, 'file ' . s:file . ' ' . &filetype)
  for s:line in range(1, line('$'))
    let s:names = map(range(1, len(getline(s:line))), {_, column -> synIDattr(synID(s:line, column, 1), 'name')})
    call add(s:out, 'line ' . join(map(s:names, {_, name -> name . ','}), ''))
    let s:before = getline(prevnonblank(s:line - 1))
    if s:before =~# '{\s*\(//.*\)\=$' || (getline(s:line) =~# '^\s*}$' && s:before =~# '^\s*}$')
      if getline(s:line) !=# ''
        call add(s:out, 'indent ' . QuadrilleIndent(s:line) . ' ' . indent(s:line))
      endif
    endif
  endfor
endfor
call writefile(s:out, $QUADRILLE_OUT)
qall!
