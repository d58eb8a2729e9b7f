" Settings for Quadrille schedules, in the style of docs/formatting.md.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal expandtab shiftwidth=2 softtabstop=2
setlocal comments=://,s1:/*,mb:*,ex:*/ commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
" gq on lines that are whole declarations.
setlocal formatprg=quadrille\ fmt\ -
let b:undo_ftplugin = 'setlocal expandtab< shiftwidth< softtabstop< comments< commentstring< formatoptions< formatprg<'
