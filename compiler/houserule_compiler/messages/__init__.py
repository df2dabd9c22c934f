"""Every message of the compiler: its code, headline, labels and help, one function each, a module a pass."""
