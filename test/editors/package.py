#!/usr/bin/env python3
"""Makes the extension in this folder into a package, and looks into it."""

import pathlib
import subprocess
import sys
import zipfile

if subprocess.run(["npm", "ping"], capture_output=True, check=False, timeout=120).returncode:
    print("no registry")
    sys.exit()
for command in (["npm", "install", "--no-audit", "--no-fund"], ["npm", "run", "package"]):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    if done.returncode:
        sys.exit(f"{command}:\n{done.stdout}{done.stderr}")
with zipfile.ZipFile(next(pathlib.Path().glob("*.vsix"))) as package:
    names = package.namelist()
for name in ("package.json", "client.js", "snippets.json", "language-configuration.json", "syntaxes/quadrille.tmLanguage.json",
             "node_modules/vscode-languageclient/package.json"):
    if f"extension/{name}" not in names:
        sys.exit(f"{name} is not in the package")
if any("node_modules/@vscode/vsce" in name for name in names):
    sys.exit("what makes the package is in it")
print("ok")
