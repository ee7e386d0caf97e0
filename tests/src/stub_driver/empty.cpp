// A driver that has nothing but its name.
