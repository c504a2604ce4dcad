-- Neovim 0.11 or later: starts `mlirbc lsp` for MLIR, opens bytecode as text, and saves it as bytecode.
-- Copy this file to `~/.config/nvim/plugin/mlirbc.lua`.

vim.filetype.add({ extension = { mlir = "mlir" } })
vim.lsp.config("mlirbc", { cmd = { "mlirbc", "lsp" }, filetypes = { "mlir" } })
vim.lsp.enable("mlirbc")

local patterns = { "*.mlirbc", "*.jax" }

-- The server reads such a buffer as the file does that it was printed from.
local function save(event)
  local client = vim.lsp.get_clients({ bufnr = event.buf, name = "mlirbc" })[1]
  if not client then
    vim.notify("mlirbc lsp does not run", vim.log.levels.ERROR)
    return
  end
  local call = { command = "mlirbc.save", arguments = { vim.uri_from_bufnr(event.buf) } }
  local answer, failure = client:request_sync("workspace/executeCommand", call, 60000, event.buf)
  if answer == nil or answer.err then
    vim.notify(answer and answer.err.message or failure, vim.log.levels.ERROR)
  else
    vim.bo[event.buf].modified = false
  end
end

local function open(event)
  local printed = vim.system({ "mlirbc", "print", "--lossless", "--locations", event.file }):wait()
  if printed.code ~= 0 then
    vim.notify(printed.stderr, vim.log.levels.ERROR)
    return
  end
  local lines = vim.split(printed.stdout, "\n", { trimempty = true })
  vim.api.nvim_buf_set_lines(event.buf, 0, -1, false, lines)
  vim.bo[event.buf].modified = false
  vim.bo[event.buf].filetype = "mlir"
end

vim.api.nvim_create_autocmd("BufReadCmd", { pattern = patterns, callback = open })
vim.api.nvim_create_autocmd("BufWriteCmd", { pattern = patterns, callback = save })
