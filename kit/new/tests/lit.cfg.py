# Tests for lit; `quadrille test` runs them.
import subprocess
kit = subprocess.check_output(["quadrille", "config", "--lit"], text=True).strip()
lit_config.load_config(config, kit)

config.name = "@NAME@"
