"""Measure a real server from outside: `make bench`, or `python -m bench --help`.

Every part starts its own servers on fresh state directories, talks to them over HTTP,
and compares what it sees with the targets.
"""
