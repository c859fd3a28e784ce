"""Checks YAML files against a JSON Schema: check_schema.py SCHEMA FILE...

Prints one line per mistake and exits with 1 if there is any. Figures need a source, so files without one are refused.
"""
import json
import sys

import jsonschema
import yaml


def as_json(node):
    """The keys of maps as text: YAML has numbers as keys (`evasion: {8: 0.28}`), JSON and its schemas do not."""
    if isinstance(node, dict):
        return {str(key): as_json(value) for key, value in node.items()}
    return [as_json(item) for item in node] if isinstance(node, list) else node


def mistakes(validator, path):
    with open(path, encoding="utf-8") as file:
        machine = as_json(yaml.safe_load(file))
    for error in validator.iter_errors(machine):
        place = ".".join(str(key) for key in error.absolute_path)
        yield f"{path}: {place}: {error.message}"
    if not (isinstance(machine, dict) and machine.get("sources")):
        yield f"{path}: no sources"


def main(schema_path, paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    found = [line for path in paths for line in mistakes(validator, path)]
    print("\n".join(found) if found else f"{len(paths)} files obey the schema")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
