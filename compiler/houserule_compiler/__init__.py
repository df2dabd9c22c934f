"""The rules compiler of houserule: YAML rules in, one portable artifact out."""

__version__ = "0.1.0"
