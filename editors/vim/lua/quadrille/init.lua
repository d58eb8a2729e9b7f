-- The client of `quadrille lsp` in Neovim, 0.7 or newer:
--
--   require('quadrille').setup()
--   require('quadrille').setup { cmd = { 'quadrille', 'lsp', '--no-proof' }, on_attach = function(client, buffer) ... end }
local M = {}

local started = {} -- clients, by the folder of their workspace

-- Shows a text beside the schedule.
local function show(text)
  local lines = vim.split(text, '\n', { trimempty = true })
  vim.cmd('botright new')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  vim.bo.modifiable = false
  vim.wo.wrap = false
  vim.cmd('resize ' .. math.min(#lines, math.floor(vim.o.lines / 2)))
  vim.cmd('wincmd p')
end

-- What stands above a schedule: check, prove, draw.
for _, name in ipairs { 'check', 'prove', 'draw' } do
  vim.lsp.commands['quadrille.' .. name] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    client.request('workspace/executeCommand', { command = command.command, arguments = command.arguments }, function(problem, text)
      show(problem and problem.message or text)
    end)
  end
end

-- The folder around a file that has a project in it; else that of the file.
local function folder_of(file)
  local here = vim.fn.fnamemodify(file, ':p:h')
  local git = vim.fn.finddir('.git', here .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or here
end

local function attached(client, buffer, options)
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  local group = vim.api.nvim_create_augroup('quadrille' .. buffer, {})
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buffer,
    callback = function() vim.lsp.codelens.refresh() end,
  })
  if vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if options.on_attach then
    options.on_attach(client, buffer)
  end
end

-- Lets a server know of the schedule in a buffer. One serves all of a folder.
function M.attach(buffer, options)
  local root = folder_of(vim.api.nvim_buf_get_name(buffer))
  if not started[root] or not vim.lsp.get_client_by_id(started[root]) then
    started[root] = vim.lsp.start_client {
      name = 'quadrille',
      cmd = options.cmd or { 'quadrille', 'lsp' },
      root_dir = root,
      init_options = { showsResults = true },
      on_attach = function(client, number) attached(client, number, options) end,
    }
  end
  if started[root] then
    vim.lsp.buf_attach_client(buffer, started[root])
  end
end

function M.setup(options)
  options = options or {}
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('quadrille', {}),
    pattern = 'quadrille',
    callback = function(event) M.attach(event.buf, options) end,
  })
end

return M
