autocmd BufRead,BufNewFile *.quad setfiletype quadrille
