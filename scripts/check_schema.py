#!/usr/bin/env python3
"""Is crates/evenhand-trial/trial.schema.json right? Holds the files of crates/evenhand-trial/tests/fixtures/json, which
the tests of evenhand-trial write and read, against it with an independent validator.

    python3 scripts/check_schema.py             # the fixtures; exit status 1 if any answer is wrong
    python3 scripts/check_schema.py FILE…       # further trials that should pass

Checked: the schema is a schema; good trials pass; they pass, too, when no field is allowed that the schema does not
describe; every planted defect that defects.json expects the schema to refuse is refused, and no other.
"""
import copy
import json
import pathlib
import sys

import jsonschema

TRIAL = pathlib.Path(__file__).resolve().parent.parent / "crates" / "evenhand-trial"
FIXTURES = TRIAL / "tests" / "fixtures" / "json"
GOOD = ["full.json", "smallest.json", "imported.json"]


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def strict(schema):
    """The same schema, but nothing may stand in an object that is not described."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: strict(part) for key, part in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        parts.setdefault("additionalProperties", False)
    return parts


def undescribed(schema, place="#"):
    """Places of fields without a description."""
    if isinstance(schema, dict):
        for name, part in schema.get("properties", {}).items() if schema.get("type") == "object" else []:
            if not {"description", "$ref", "const"} & part.keys() and name not in ("same", "from"):
                yield f"{place}/{name}"
        for key, part in schema.items():
            yield from undescribed(part, f"{place}/{key}")
    elif isinstance(schema, list):
        for part in schema:
            yield from undescribed(part, place)


def planted(trial, defect):
    trial = copy.deepcopy(trial)
    *parents, field = defect["path"].split("/")[1:]
    spot = trial
    for name in parents:
        spot = spot[int(name) if isinstance(spot, list) else name]
    field = int(field) if isinstance(spot, list) else field
    if "value" in defect:
        spot[field] = defect["value"]
    else:
        del spot[field]
    return trial


def main():
    schema = read(TRIAL / "trial.schema.json")
    kind = jsonschema.Draft202012Validator
    kind.check_schema(schema)
    validator, strict_validator = kind(schema), kind(strict(schema))
    wrong = [f"{place} has no description" for place in undescribed(schema)]
    good = [FIXTURES / name for name in GOOD] + sys.argv[1:]
    for path in good:
        trial = read(path)
        wrong += [f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(trial)]
        wrong += [f"{path}, strictly: {error.json_path}: {error.message}"
                  for error in strict_validator.iter_errors(trial)]
    full = read(FIXTURES / GOOD[0])
    defects = read(FIXTURES / "defects.json")
    for defect in defects:
        refused, expected = not validator.is_valid(planted(full, defect)), "schema" in defect["refused_by"]
        if not defect["refused_by"]:
            wrong.append(f"{defect['name']}: expected to be refused by nobody")
        if refused != expected:
            wrong.append(f"{defect['name']}: {'refused' if refused else 'let through'} by the schema")
    by_schema = sum("schema" in defect["refused_by"] for defect in defects)
    print("\n".join(wrong) or f"{len(good)} good trials pass; of {len(defects)} defects the schema refuses {by_schema} "
                              f"and leaves {len(defects) - by_schema} to the reader")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
