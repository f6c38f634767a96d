"""The whole state as one file, the same for every database.

Generic over the tables: what a later version adds comes along by itself, and what can
be made anew, as chunks and vectors, stays behind.
"""
