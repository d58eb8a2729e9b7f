// The client of `quadrille lsp` in Visual Studio Code. What the server can do, the editor asks it itself; what is here are the commands above
// schedules, whose results are texts to be shown.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const scheme = 'quadrille-result';
const results = new Map(); // by the text of their URI

let client;

/** Shows what the command line would print, beside the schedule. */
async function show(command, schedule, text) {
  const uri = vscode.Uri.parse(`${scheme}:${command} ${schedule}.txt`);
  results.set(uri.toString(), text);
  changed.fire(uri);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
}

const changed = new vscode.EventEmitter();

async function activate(context) {
  const settings = vscode.workspace.getConfiguration('quadrille');
  const server = { command: settings.get('command'), args: ['lsp', ...settings.get('arguments')] };
  client = new LanguageClient('quadrille', 'Quadrille', server, {
    documentSelector: [{ language: 'quadrille' }],
    initializationOptions: { showsResults: true },
    middleware: {
      executeCommand: async (command, args, next) => {
        const text = await next(command, args);
        if (typeof text === 'string') {
          await show(command.replace('quadrille.', ''), args[1], text);
        }
        return text;
      },
    },
  });
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => results.get(uri.toString()),
    }));
  try {
    await client.start();
  } catch (problem) {
    vscode.window.showErrorMessage(`Quadrille: ${server.command} lsp does not start (${problem.message}); the setting quadrille.command says where it is.`);
  }
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
