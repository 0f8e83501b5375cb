"""Prints the samples of a script that plants secrets in notes.

    planted.py SCRIPT planted|innocent SEED

The script has tables VENDORS, GENERIC, SURROUNDINGS and INNOCENT and the functions samples, place, renew and fill.
"""
import importlib, json, os, random, re, sys

script, kind, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
checks = importlib.import_module(os.path.splitext(os.path.basename(script))[0])


def show(rule, text, secret, positive=True):
    print(json.dumps({"rule": rule, "text": text, "secret": secret, "positive": positive}))


def planted(rng):
    for family, table in (("vendor", checks.VENDORS), ("generic", checks.GENERIC)):
        for group, text, tail, core in checks.samples(table, 3, rng):
            for surrounding in checks.SURROUNDINGS:
                if surrounding == "file name":
                    if text == core and not re.search(r"[/\n]", text) and len(text) <= 150:
                        show(f"{family}/{group}/{surrounding}", text + ".md", core)
                    continue
                body = checks.place(surrounding, text, core, tail)
                if body:
                    # Where a mark or a line end splits the secret, its tail stays whole.
                    show(f"{family}/{group}/{surrounding}", body + "\n\nPottery notes follow here.\n", core if core in body else tail)
                    text, tail, core = checks.renew(text, core, rng)


if kind == "planted":
    planted(random.Random(seed))
else:
    for text in checks.INNOCENT:
        show("innocent", checks.fill(text, random.Random(seed)), "", False)
