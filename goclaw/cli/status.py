"""`goclaw status`: is it there, is it ready, and who am I to it."""

from typing import Any

from goclaw.cli.client import Api
from goclaw.cli.failures import CommandFailed, Exit
from goclaw.cli.output import Json, facts, print_json


def status(as_json: Json = False) -> None:
    """Say whether the server runs and is ready, and whom the key stands for.

    \b
    Example:
      goclaw status
    """
    api = Api()
    code, answer = api.probe("/readyz")
    checks = answer.get("checks", {}) if isinstance(answer, dict) else {}
    found: dict[str, Any] = {"url": api.url, "ready": code == 200, "checks": checks}
    found["me"] = api.get("/me")
    found["records"] = api.get("/memory/stats")["records"]["total"]
    if as_json:
        print_json(found)
    else:
        me = found["me"]
        facts(
            {
                "address": found["url"],
                "ready": found["ready"],
                **{name: check["detail"] for name, check in checks.items()},
                "you are": f"{me['username']}{' (administrator)' * me['is_admin']}",
                "records": f"{found['records']:,}",
            }
        )
    if not found["ready"]:
        raise CommandFailed(
            "The server is there, but not ready.",
            exit_code=Exit.TRY_LATER,
            remedy="After a start the model takes some seconds; then look at the log.",
            code="not_ready",
        )
