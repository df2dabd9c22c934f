"""One module a command; each holds it as `command`. No logic that a library user would want."""
