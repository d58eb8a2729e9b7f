-- Opens a schedule with a mistake in Neovim, writes down what is shown, takes what is offered, and writes down the text.
local out = io.open(os.getenv('OUT'), 'w')
local function say(...) out:write(string.format(...), '\n') out:flush() end
local function wait(what, holds)
  if not vim.wait(120000, holds, 50) then
    say('not within two minutes: %s', what)
    vim.cmd('cquit')
  end
end

vim.ui.select = function(items, options, choose)
  for _, item in ipairs(items) do
    say('offered: %s', options.format_item(item))
  end
  choose(items[1], 1)
end

local ok, problem = pcall(function()
  require('quadrille').setup()
  vim.cmd('filetype plugin indent on')
  vim.cmd('edit ' .. os.getenv('SCHEDULE'))
  say('filetype: %s', vim.bo.filetype)
  wait('a diagnostic', function() return #vim.diagnostic.get(0) > 0 end)
  for _, one in ipairs(vim.diagnostic.get(0)) do
    say('shown: %d:%d: %s', one.lnum + 1, one.col + 1, one.message)
    vim.api.nvim_win_set_cursor(0, { one.lnum + 1, one.col })
  end
  vim.lsp.buf.code_action()
  wait('no diagnostic', function() return #vim.diagnostic.get(0) == 0 end)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    say('text: %s', line)
  end

  -- What is under the cursor.
  vim.fn.search('me + 1')
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/definition', vim.lsp.util.make_position_params(), 60000)
  say('answers: %d', vim.tbl_count(answers))
  vim.fn.search('y\\[')
  local _, answer = next(vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(), 60000))
  say('under the cursor: %s', answer.result.contents.value)

  -- What stands above the schedule.
  vim.lsp.codelens.refresh()
  wait('lenses', function() return #vim.lsp.codelens.get(0) > 0 end)
  local lens = vim.lsp.codelens.get(0)[1]
  say('above: %s', lens.command.title)
  local client = vim.lsp.get_active_clients()[1]
  vim.lsp.commands[lens.command.command](lens.command, { client_id = client.id })
  wait('a result', function() return vim.fn.winnr('$') > 1 end)
  vim.cmd('wincmd j')
  say('result: %s', vim.fn.getline(1))
end)
if not ok then
  say('problem: %s', problem)
end
out:close()
vim.cmd('qall!')
