"""Draws invoices with GnuCash's own reports: argv[1] is a JSON file with a list of jobs, each with
language, report (GUID of GnuCash), sale, and the path of the HTML page to write."""
import datetime
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from xml.sax.saxutils import escape

from gnucash import Account, GncNumeric, Session, SessionOpenMode
from gnucash.gnucash_business import Customer, Entry, Invoice, TaxTable, TaxTableEntry
from gnucash.gnucash_core_c import (
    ACCT_TYPE_ASSET, ACCT_TYPE_INCOME, ACCT_TYPE_LIABILITY, ACCT_TYPE_RECEIVABLE,
)

REPORT = """(let ()
 (define (options-gen)
  (let ((options (gnc:report-template-new-options/report-guid "%(parent)s" "%(parent_name)s")))
   (let ((option (gnc:lookup-option options "General" "Invoice Number")))
    (if option ((gnc:option-setter option) "%(invoice)s")))
   options))
 (gnc:define-report 'version 1 'name "stranger" 'report-guid "0123456789abcdef0123456789abcdef"
  'parent-type "%(parent)s" 'options-generator options-gen
  'menu-path (list gnc:menuname-custom)
  'renderer (gnc:report-template-renderer/report-guid "%(parent)s" "%(parent_name)s")))
"""


def number(value):
    part = Fraction(str(value))
    return GncNumeric(part.numerator, part.denominator)


def day(text):
    return datetime.datetime.fromisoformat(text + "T12:00:00")


def account(book, root, kind, name, currency):
    made = Account(book)
    root.append_child(made)
    made.SetName(name)
    made.SetType(kind)
    made.SetCommodity(currency)
    return made


def write_book(path, sale):
    """The GUID of the posted invoice."""
    with Session("xml://" + path, SessionOpenMode.SESSION_NEW_STORE) as session:
        book = session.book
        root = book.get_root_account()
        currency = book.get_table().lookup("CURRENCY", sale["currency"])
        receivable = account(book, root, ACCT_TYPE_RECEIVABLE, "Receivable", currency)
        income = account(book, root, ACCT_TYPE_INCOME, "Income", currency)
        due_tax = account(book, root, ACCT_TYPE_LIABILITY, "Tax", currency)
        account(book, root, ACCT_TYPE_ASSET, "Bank", currency)
        customer = Customer(book, "000017", currency, sale["buyer"])
        address = customer.GetAddr()
        address.SetName(sale["buyer"])
        address.SetAddr1(sale["street"])
        address.SetAddr2(sale["place"])
        tables = {}
        for good in sale["goods"]:
            rate = good["rate"]
            if rate not in tables:
                entry = TaxTableEntry(due_tax, True, number(rate))
                tables[rate] = TaxTable(book, "%s %s%%" % (sale["tax"], rate), entry)
        invoice = Invoice(book, sale["id"], currency, customer, day(sale["date"]))
        for good in sale["goods"]:
            entry = Entry(book, invoice, day(sale["date"]))
            entry.SetDescription(good["description"])
            entry.SetAction(sale["unit"])
            entry.SetQuantity(number(good["quantity"]))
            entry.SetInvAccount(income)
            entry.SetInvPrice(number(good["price"]))
            entry.SetInvTaxable(True)
            entry.SetInvTaxIncluded(False)
            entry.SetInvTaxTable(tables[good["rate"]])
        invoice.PostToAccount(receivable, day(sale["date"]), day(sale["due"]), "", True, False)
        session.save()
    return name_company(path, sale["company"])


def slot(key, kind, value):
    return ("<slot><slot:key>%s</slot:key><slot:value type=\"%s\">%s</slot:value></slot>"
            % (key, kind, value))


def name_company(path, company):
    """Writes the options of the book into its file, as the Python module cannot set them. The GUID
    of the invoice."""
    text = gzip.open(path, "rt", encoding="utf-8").read()
    names = "".join(slot("Company " + key, "string", escape(value))
                    for key, value in company.items())
    options = slot("options", "frame", slot("Business", "frame", names))
    if "<book:slots>" in text:
        text = text.replace("<book:slots>", "<book:slots>" + options, 1)
    else:
        text = text.replace("</book:id>", "</book:id><book:slots>%s</book:slots>" % options, 1)
    open(path, "w", encoding="utf-8").write(text)
    return re.search('<invoice:guid type="guid">([0-9a-f]+)<', text).group(1)


for job in json.load(open(sys.argv[1])):
    with tempfile.TemporaryDirectory() as home:
        book = os.path.join(home, "book.gnucash")
        names = {"parent": job["report"], "parent_name": job["reportName"],
                 "invoice": write_book(book, job["sale"])}
        data = os.path.join(home, "data")
        os.makedirs(data)
        open(os.path.join(data, "saved-reports-2.8"), "w").write(REPORT % names)
        environment = dict(os.environ, GNC_DATA_HOME=data, HOME=home,
                           LANG=job["locale"], LC_ALL=job["locale"], LANGUAGE=job["locale"][:5])
        ran = subprocess.run(["gnucash-cli", "--logto", "stderr", "--report", "run", "--name", "stranger",
                        "--output-file", job["path"], book], env=environment,
                       capture_output=True, text=True)
        if not os.path.exists(job["path"]):
            sys.exit(ran.stderr)
