"""The rules compiler of houserule: YAML rules in, one portable artifact out."""
