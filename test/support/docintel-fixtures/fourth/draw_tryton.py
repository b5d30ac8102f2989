"""Fills Tryton's own invoice template: argv[1] is a JSON file with the template, the folder for the
pages, and a list of jobs, each with the translation (words), the sale as printed, and a name."""
import json
import os
import re
import subprocess
import sys
import tempfile
from types import SimpleNamespace
from xml.sax.saxutils import escape

from relatorio.templates.opendocument import Template


def translated(source, words):
    def swap(match):
        lead, text, tail = re.match(r"(\s*)(.*?)(\s*)$", match.group(1), re.S).groups()
        return ">" + lead + escape(words[text]) + tail + "<" if text in words else match.group(0)
    return re.sub(r">([^<>]*[A-Za-z][^<>]*)<", swap, source)


def convert(kind, folder, paths):
    subprocess.run(["soffice", "-env:UserInstallation=file://" + folder + "/office", "--headless",
                    "--convert-to", kind, "--outdir", folder, *paths],
                   check=True, stdout=subprocess.DEVNULL)


def record(sale):
    lang = SimpleNamespace(code="en")
    company = SimpleNamespace(header="\n".join(sale["header"]), footer="", rec_name=sale["seller"])
    taxes = [SimpleNamespace(sequence_number=at + 1, legal_notice=None, **tax)
             for at, tax in enumerate(sale["taxes"])]

    class Line(SimpleNamespace):
        unit_price = SimpleNamespace(digits=(16, 2))
    lines = [Line(type="line", product=SimpleNamespace(rec_name=good["description"]),
                  description="", quantity=good["quantity"], unit_digits=0,
                  unit=SimpleNamespace(symbol=sale["unit"]), unit_price=good["price"],
                  amount=good["amount"], invoice_taxes=[taxes[good["tax"]]])
             for good in sale["goods"]]
    return SimpleNamespace(
        company=company, party=SimpleNamespace(lang=lang), set_lang=lambda _: "",
        invoice_address=SimpleNamespace(full_address="\n".join(sale["to"])),
        party_tax_identifier=None,
        tax_identifier=SimpleNamespace(type_string=sale["taxIdName"], code=sale["taxId"]),
        type="out", state="posted", number=sale["id"], description="", origins="",
        reference=sale["reference"], invoice_date=sale["date"], lines=lines, taxes=taxes,
        currency="", untaxed_amount=sale["net"], tax_amount=sale["vat"],
        total_amount=sale["total"], comment="", payment_term=None,
        lines_to_pay=[SimpleNamespace(maturity_date=sale["due"], amount_second_currency=None,
                                      debit=sale["total"], credit=0)])


asked = json.load(open(sys.argv[1]))
source = open(asked["template"], encoding="utf-8").read()
with tempfile.TemporaryDirectory() as folder:
    filled = []
    for job in asked["jobs"]:
        kept = os.path.join(folder, job["language"] + ".fodt")
        odt = os.path.join(folder, job["language"] + ".odt")
        if not os.path.exists(odt):
            open(kept, "w", encoding="utf-8").write(translated(source, job["words"]))
            convert("odt", folder, [kept])
        sale = job["sale"]
        invoice = record(sale)
        page = Template(source=None, filepath=odt).generate(
            record=invoice, records=[invoice], invoice=invoice, today=sale["date"],
            set_lang=lambda _: "", format_date=lambda value, *_, **__: value,
            format_number=lambda value, *_, **__: str(value),
            format_currency=lambda value, *_, **__: sale["money"]["%.2f" % value],
        ).render().getvalue()
        path = os.path.join(folder, job["name"] + ".odt")
        open(path, "wb").write(page)
        filled.append(path)
    convert("pdf", asked["folder"], filled)
