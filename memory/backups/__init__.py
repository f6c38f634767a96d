"""Copies of the state: before something is destroyed, every night, and back again.

Knows files and SQLite, no model of ours.
"""
