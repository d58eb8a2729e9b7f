// Loads the extension for Visual Studio Code with stand-ins for the editor and the library of clients, and does what the editor would do.
//
// usage: client.js FOLDER-OF-THE-EXTENSION

const assert = require('assert');
const path = require('path');
const Module = require('module');

const shown = [], providers = [];
let client;

class EventEmitter {
  constructor() { this.event = (listener) => { this.listener = listener; }; }
  fire(value) { if (this.listener) { this.listener(value); } }
}

const vscode = {
  EventEmitter,
  ViewColumn: { Beside: -2 },
  Uri: { parse: (text) => ({ toString: () => text }) },
  window: { showTextDocument: async (text) => shown.push(text), showErrorMessage: (text) => shown.push(text) },
  workspace: {
    getConfiguration: () => ({ get: (name) => ({ command: '/opt/quadrille', arguments: ['--no-proof'] })[name] }),
    registerTextDocumentContentProvider: (_, provider) => providers.push(provider),
    openTextDocument: async (uri) => providers[0].provideTextDocumentContent(uri),
  },
};
const languageclient = {
  LanguageClient: class {
    constructor(id, name, server, options) { Object.assign(this, { id, name, server, options }); client = this; }
    async start() { this.isRunning = true; if (this.server.command === 'missing') { throw new Error('ENOENT'); } }
    async stop() { this.isRunning = false; }
  },
};
const load = Module._load;
Module._load = (name, ...rest) => name === 'vscode' ? vscode : name === 'vscode-languageclient/node' ? languageclient : load(name, ...rest);

(async () => {
  const folder = path.resolve(process.argv[2]);
  const manifest = require(path.join(folder, 'package.json'));
  const extension = require(path.join(folder, manifest.main));
  assert.ok(Object.keys(manifest.dependencies).includes('vscode-languageclient'));
  for (const setting of ['command', 'arguments']) {
    assert.ok(manifest.contributes.configuration.properties[`quadrille.${setting}`]);
  }
  await extension.activate({ subscriptions: [] });
  assert.deepStrictEqual(client.server, { command: '/opt/quadrille', args: ['lsp', '--no-proof'] });
  assert.strictEqual(client.options.documentSelector[0].language, manifest.contributes.languages[0].id);
  assert.ok(client.options.initializationOptions.showsResults && client.isRunning);
  // A lens shows what its command prints; other commands show nothing.
  const { executeCommand } = client.options.middleware;
  await executeCommand('quadrille.check', ['file:///a.quad', 'allgather/ring'], async () => 'allgather/ring ok');
  await executeCommand('another.command', [], async () => ({}));
  assert.deepStrictEqual(shown, ['allgather/ring ok']);
  await extension.deactivate();
  assert.ok(!client.isRunning);
  // A server that is not there is named.
  vscode.workspace.getConfiguration = () => ({ get: (name) => ({ command: 'missing', arguments: [] })[name] });
  await extension.activate({ subscriptions: [] });
  assert.match(shown[1], /missing lsp does not start.*quadrille\.command/);
  console.log('ok');
})().catch((problem) => { console.error(problem); process.exit(1); });
