"""`python -m goclaw` is the `goclaw` command."""

from goclaw.cli import main

if __name__ == "__main__":
    main()
