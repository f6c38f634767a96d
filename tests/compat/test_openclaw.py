"""The OpenClaw plugin's own tests, against a real server."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.mcp.conftest import run_server
from tests.people import Api, api_for, make_user

PLUGIN = Path(__file__).parents[2] / "integrations" / "openclaw"

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        shutil.which("npm") is None or not (PLUGIN / "node_modules").exists(),
        reason="needs Node, and `npm install` in integrations/openclaw",
    ),
]


def test_the_plugin_and_the_server_understand_each_other(
    tmp_path: Path, alice_api: Api
) -> None:
    gateway = api_for(
        make_user("gateway"), may_act_for_others=True, auto_provision=True
    )
    running = run_server(tmp_path)
    server = next(running)
    try:
        ran = subprocess.run(
            ["npm", "test", "--silent"],
            cwd=PLUGIN,
            env=os.environ
            | {
                "GOCLAW_URL": server.url,
                "GOCLAW_API_KEY": alice_api.secret,
                "GOCLAW_GATEWAY_KEY": gateway.secret,
            },
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        running.close()
    assert ran.returncode == 0, ran.stdout[-6000:]
    assert "\n# skipped 0\n" in ran.stdout
