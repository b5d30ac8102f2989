/** What must give no amounts: articles, menus, statements, blank and masked papers. */
import { written, type Fixture } from './types.ts'

const negative = (name: string, text: string, skill: Fixture['skill'] = 'receipt'): Fixture =>
  written(skill)(name, { total: null }, text)

export const NEGATIVES: readonly Fixture[] = [
  negative(
    'article-economy',
    `
Government raises VAT to 18% as budget gap widens
NAIROBI, 14 June 2023 - The Treasury said on Wednesday that it would raise value added tax on fuel to 16 percent from 8 percent, a move that is expected to bring in an additional KSh 50 billion a year.
The total amount due to contractors now stands at KSh 600 billion, according to the report. Opposition leaders said that the tax would hurt the poor.
"A loaf of bread that cost 60 shillings last year costs 85.50 today," said Mary Wanjiku, a trader in the city. She said the cash she takes home has fallen to 1,200.00 a day.
Total: 45.6 million people will be affected. Analysts were divided about whether the change would be passed by parliament.`,
  ),
  negative(
    'article-company',
    `
Retailer reports record sales
Sales for the year rose 12.5% to $4.2 billion, the company said in a statement on Tuesday. Net income was $310.50 million, or $2.15 per share.
The total for the fourth quarter was $1,210.75 million. Cash and cash equivalents were $99.00 million at the end of the period.
The chief executive said that the invoice processing system had been replaced, and the receipts are now sent by e-mail.
Shares closed at 45.20 on Monday. They have risen 20% this year.`,
  ),
  negative(
    'article-list',
    `
Best budget phones of 2023
1. Phone A - $199.99
A solid phone with a good screen. We were impressed by the battery.
2. Phone B - $249.00
The camera is better than that of its rivals and it has been updated twice.
3. Phone C - $299.00
Price when reviewed: $299.00. The total cost of ownership is low.
Prices were correct at the time of writing and may change.`,
  ),
  negative(
    'article-de',
    `
Inflation bleibt hoch
Die Verbraucherpreise sind im Juni um 6,4 Prozent gestiegen, wie das Statistische Bundesamt am Dienstag mitteilte. Die Mehrwertsteuer von 19 Prozent bleibt unverändert.
Die Summe von 1.200,00 Euro wird den Familien ausgezahlt, sagte der Minister. Insgesamt kostet das den Staat 3,5 Milliarden Euro.`,
  ),
  negative(
    'menu',
    `
CAFE LUNA
LUNCH MENU
Tomato soup | 5.50
Caesar salad | 8.90
Club sandwich | 9.50
Pasta of the day | 11.00
Espresso | 2.20
Cappuccino | 3.20
All prices include VAT. Service not included.`,
  ),
  negative(
    'statement',
    `
FIRST NATIONAL BANK
Account statement
Account number 12345678
Opening balance | 1,250.00
01/03/2023 | Card payment TESCO | -14.35 | 1,235.65
02/03/2023 | Salary | 2,100.00 | 3,335.65
05/03/2023 | Rent | -900.00 | 2,435.65
Closing balance | 2,435.65
Total paid in | 2,100.00
Total paid out | 914.35`,
  ),
  negative(
    'masked',
    `
SUNRISE MART SDN BHD
12 JALAN MERDEKA, 43000 KAJANG
TAX INVOICE
DATE: **/**/****
MILO 1KG | **.**
TOTAL RM | ***.**
CASH | ***.**
CHANGE | **.**`,
  ),
  negative(
    'masked-x',
    `
ACME STORE
RECEIPT
Item 1 | XX.XX
Item 2 | XX.XX
Subtotal | XX.XX
Tax | X.XX
Total | XX.XX
Thank you`,
  ),
  negative(
    'redacted-total',
    `
ACME STORE
RECEIPT 12/03/2023
Item 1 | 10.00
Item 2 | 12.00
TOTAL | [REDACTED]
CARD | ####.##`,
  ),
  negative('blank', '   \n \n  '),
  negative('gibberish', 'asdkj qwe 12 zxc\n.,.,. ;;; 4\n~~~ lkj'),
  negative(
    'letter',
    `
Dear Mr Jones,
Thank you for your letter of 12 May 2023. We have considered your request for a refund of £45.00 and we regret that we are not able to agree to it.
If you have any questions about this decision please call us on 020 7946 0000.
Yours sincerely,
A. Clerk`,
    'invoice',
  ),
  negative(
    'payslip',
    `
ACME LTD PAYSLIP
Employee: J. Doe
Pay date 31/05/2023
Basic pay | 3,000.00
Gross pay | 3,200.00
PAYE tax | 450.00
Net pay | 2,500.00`,
    'invoice',
  ),
  negative(
    'balance-sheet',
    `
Consolidated balance sheet
 | 2022 | 2021
Revenue | 1,200.50 | 1,100.20
Cost of sales | 800.10 | 750.00
Gross profit | 400.40 | 350.20
Tax | 40.00 | 38.00
Net income | 310.40 | 290.00
Cash and cash equivalents | 99.00 | 80.00
Total assets | 2,500.00 | 2,300.00`,
    'invoice',
  ),
]
