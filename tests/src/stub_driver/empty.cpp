// A driver without any functions.
