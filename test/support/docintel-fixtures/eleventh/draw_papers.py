"""Fills Tryton's templates of sales and of stock: argv[1] is the folder with the unpacked packages,
argv[2] one with job.json, where page.pdf is written."""
import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace
from xml.sax.saxutils import escape

from relatorio.templates.opendocument import Template

packages, own = sys.argv[1:]
job = json.load(open(os.path.join(own, "job.json")))


def translated(source, words):
    def swap(match):
        lead, text, tail = re.match(r"(\s*)(.*?)(\s*)$", match.group(1), re.S).groups()
        return ">" + lead + escape(words[text]) + tail + "<" if text in words else match.group(0)
    return re.sub(r">([^<>]*[A-Za-z][^<>]*)<", swap, source)


def convert(kind, name):
    subprocess.run(["soffice", "-env:UserInstallation=file://" + own + "/office", "--headless",
                    "--convert-to", kind, "--outdir", own, os.path.join(own, name)],
                   check=True, stdout=subprocess.DEVNULL)


class Line(SimpleNamespace):
    unit_price = SimpleNamespace(digits=(16, 2))


lang = SimpleNamespace(code="en")
party = SimpleNamespace(lang=lang, tax_identifier=None, code=job["reference"])
company = SimpleNamespace(header="\n".join(job["header"]), footer="", rec_name=job["seller"])
unit = SimpleNamespace(symbol=job["unit"], rec_name=job["unit"])
lines = [Line(type="line", product=SimpleNamespace(rec_name=good["description"]), description="",
              quantity=good["quantity"], unit_digits=0, unit=unit, uom=unit,
              unit_price=good["price"], amount=good["amount"],
              taxes=[SimpleNamespace(description=good["tax"])]) for good in job["goods"]]
to = "\n".join(job["to"])
record = SimpleNamespace(
    company=company, party=party, customer=party, set_lang=lambda _: "", report_address=to,
    delivery_address=SimpleNamespace(party=party, full_address=to),
    state="quotation" if job["paper"] == "quotation" else "processing",
    full_number=job["id"], number=job["id"], description="", reference=job["reference"],
    origins=job["reference"], sale_date=job["date"], effective_date=job["date"],
    lines=lines, outgoing_moves=lines,
    currency="", untaxed_amount=job["net"], tax_amount=job["vat"], total_amount=job["total"],
    comment="")
source = open(os.path.join(packages, job["template"]), encoding="utf-8").read()
open(os.path.join(own, "page.fodt"), "w", encoding="utf-8").write(translated(source, job["words"]))
convert("odt", "page.fodt")
page = Template(source=None, filepath=os.path.join(own, "page.odt")).generate(
    records=[record], company=company, today=job["date"], set_lang=lambda _: "",
    format_date=lambda value, *_, **__: value,
    format_number=lambda value, *_, **__: str(value),
    format_currency=lambda value, *_, **__: value,
).render().getvalue()
open(os.path.join(own, "page.odt"), "wb").write(page)
convert("pdf", "page.odt")
