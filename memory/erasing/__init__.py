"""Take things away: many records at once, a whole scope, all that is of a person."""
