"""`python -m goclaw` is the `goclaw` command."""

from goclaw.cli import app

if __name__ == "__main__":
    app()
