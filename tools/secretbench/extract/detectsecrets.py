"""Prints the parameters of the plugin tests in a clone of detect-secrets as samples.

    detectsecrets.py CLONE

Needs pytest and responses, as the tests themselves do. The tests are loaded, not run.
"""
import glob, importlib, inspect, json, os, random, sys

CLONE = sys.argv[1]
sys.path.insert(0, CLONE)
random.seed(42)  # some tests draw a text
# Addresses are no credentials; base_test has no texts.
LEFT_OUT = ("ip_public_test", "base_test")


def functions(module):
    """All test functions of a module, those of its classes too, each with the marks of its class."""
    for name, value in vars(module).items():
        if inspect.isfunction(value) and name.startswith("test"):
            yield value, []
        elif inspect.isclass(value) and name.startswith("Test"):
            for inner, method in vars(value).items():
                if inner.startswith("test"):
                    yield getattr(method, "__func__", method), getattr(value, "pytestmark", [])


def rows(function, outer):
    """[(names, values)] of the parameters, those of the class spread over those of the function."""
    out = [{}]
    for mark in list(outer) + list(getattr(function, "pytestmark", [])):
        if mark.name == "parametrize":
            names = mark.args[0] if not isinstance(mark.args[0], str) else [n.strip() for n in mark.args[0].split(",")]
            values = [v if len(names) > 1 else (v,) for v in mark.args[1]]
            out = [{**row, **dict(zip(names, v))} for row in out for v in values]
    return out


def caught(plugins, line):
    """What the plugins themselves call the secret in a line, the longest; empty where they know none."""
    found = []
    for plugin in plugins:
        try:
            found += [s for s in plugin().analyze_string(line) if isinstance(s, str) and s in line]
        except Exception:  # a plugin that needs a file, or a base class
            continue
    return max(found, key=len, default="")


def samples(module):
    plugins = [v for v in vars(module).values() if inspect.isclass(v) and getattr(v, "secret_type", None)]
    for function, outer in functions(module):
        for row in rows(function, outer):
            if "expected_secret" in row:
                yield row["line"], row["expected_secret"] or "", bool(row["expected_secret"])
            elif "secret" in row and "format" in row:
                positive = bool(row.get("should_be_caught", row.get("num_results")))
                text = row["format"].format(secret=row["secret"], non_secret=row["non_secret"])
                yield text, row["secret"] if positive else "", positive
            elif "should_flag" in row:
                text = row.get("payload", row.get("line"))
                yield text, caught(plugins, text) if row["should_flag"] else "", bool(row["should_flag"])
            elif "file_content" in row or set(row) in ({"line"}, {"payload"}):
                text = next(iter(row.values()))
                yield text, caught(plugins, text), True


for path in sorted(glob.glob(os.path.join(CLONE, "tests/plugins/*_test.py"))):
    name = os.path.basename(path)[:-3]
    if name not in LEFT_OUT:
        for text, secret, positive in samples(importlib.import_module("tests.plugins." + name)):
            if isinstance(text, str):
                print(json.dumps({"rule": name[:-5], "text": text, "secret": secret if secret in text else "", "positive": positive}))
