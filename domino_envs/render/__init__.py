"""From a table to something for people to look at."""
