/** Names of fields and labels, folded to phrases, and which phrases mean the same. */
import { MATCH } from './weights.ts'

/** 'datePublished', 'date_published' and 'Date published:' become 'date published'. */
export function phraseOf(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const GROUPS: Readonly<Record<string, string>> = {
  title:
    'title|headline|name|heading|page title|article title|product name|product title|recipe name|event name|item name|book title|movie title|subject|titel|título|titre|titolo|nom|nombre',
  author:
    'author|authors|byline|writer|writers|written by|creator|author name|author names|by|journalist|reporter|contributor|autor|auteur|autore|posted by',
  published:
    'date published|published|publication date|publish date|published at|published date|published on|published time|date|posted|posted on|posted at|post date|date posted|pubdate|pub date|created at|created|date created|publication|release date|released|upload date|datum|fecha|data',
  modified:
    'date modified|modified|updated|last updated|updated at|update date|modified at|modified date|last modified|date updated|modified time',
  description:
    'description|summary|excerpt|abstract|teaser|intro|overview|short description|meta description|product description|job description|beschreibung|descripción|descrizione|descrição|dek|standfirst|synopsis|about',
  text: 'text|body|content|article body|article text|full text|main text|main content|body text|article content|article|story|page text|plain text|review body|markdown|raw text|full content|post content|content text',
  image:
    'image|image url|photo|picture|thumbnail|thumbnail url|cover|cover image|main image|primary image|hero image|featured image|lead image|top image|img|poster',
  images: 'images|photos|pictures|gallery|image urls',
  url: 'url|link|href|canonical|canonical url|permalink|page url|product url|detail url|article url|uri',
  site: 'site name|site|publisher|source|publication name|website name|publisher name|source name|newspaper',
  language: 'language|lang|in language|locale|sprache|idioma',
  keywords: 'keywords|tags|topics|news keywords|labels|tag|keyword',
  price:
    'price|amount|cost|current price|sale price|unit price|price amount|offer price|low price|precio|preis|prix|prezzo|preço|pricing|fee|asking price|price value|selling price|special price|final price|our price|price now',
  'original price':
    'original price|old price|was price|regular price|price before|previous price|rrp|msrp|uvp|compare at price|strike price|strikethrough price|price original|list price|crossed out price|full price|statt preis',
  currency: 'currency|price currency|currency code|currency symbol',
  availability:
    'availability|in stock|is in stock|is available|available|stock|stock status|instock|verfügbarkeit|disponibilité|disponibilidad',
  brand: 'brand|manufacturer|make|brand name|marke|marque|marca|vendor|hersteller',
  sku: 'sku|product id|item number|article number|product code|item code|part number|mpn|model number|item id|artikelnummer|référence|reference|ref',
  gtin: 'gtin|ean|upc|barcode|gtin13|gtin12|gtin14|gtin8|ean13',
  model: 'model|model name|modell|modèle|modelo',
  rating:
    'rating|rating value|score|average rating|aggregate rating|stars|star rating|review rating|user rating|avg rating|bewertung',
  'review count':
    'review count|reviews count|number of reviews|rating count|num reviews|ratings count|reviews number|total reviews|number of ratings|count of reviews',
  reviews: 'reviews|review|customer reviews|comments',
  category:
    'category|section|article section|genre|categories|department|product category|kategorie|catégorie|categoría|genres|product type',
  location: 'location|place|venue|job location|where|ort|lieu|lugar|luogo|local|venue name',
  address: 'address|street address|adresse|dirección|indirizzo|postal address|full address',
  city: 'city|town|address locality|locality|stadt|ville|ciudad',
  region: 'region|state|province|address region|county',
  'postal code': 'postal code|zip|zip code|postcode|plz|code postal',
  country: 'country|address country|land|pays|país',
  start:
    'start date|starts|start|begins|event date|start time|when|starts at|start datetime|from date|date and time|date time|beginn|datum und uhrzeit',
  end: 'end date|ends|end|end time|ends at|until|to date|end datetime',
  organizer: 'organizer|organiser|hosted by|host|presented by|veranstalter',
  performer: 'performer|performers|artist|artists|speaker|speakers|line up|lineup',
  'job title':
    'job title|position|role|occupation|jobtitle|job role|position title|funktion|beruf|poste|cargo',
  social:
    'same as|social|social links|social media|social profiles|social media links|social urls|profiles',
  website:
    'website|homepage|home page|website url|web site|official website|webseite|site web|sitio web|company website|personal website',
  founded:
    'founded|founding date|established|founded in|year founded|founding year|foundation date|gegründet|fondée|fundada|founded year',
  age: 'age|years old|alter|edad|âge',
  employees:
    'number of employees|employees|employee count|staff count|mitarbeiter|company size|headcount',
  company:
    'company|org|hiring organization|employer|company name|organization|organisation|firm|arbeitgeber|unternehmen|entreprise|empresa|hiring company|organization name',
  salary:
    'salary|base salary|pay|compensation|wage|salary range|gehalt|salaire|salario|remuneration|estimated salary',
  'employment type':
    'employment type|job type|contract type|type of employment|contract|anstellungsart',
  deadline:
    'valid through|deadline|closing date|application deadline|apply by|expires|expiry date|bewerbungsfrist',
  ingredients:
    'recipe ingredient|ingredients|ingredient|recipe ingredients|zutaten|ingrédients|ingredientes|ingredienti|ingrediënten|ingredienser|składniki|hozzávalók|malzemeler|suroviny|ingrediencie|ингредиенты|材料|食材|what you need|you will need|things you ll need',
  instructions:
    'recipe instructions|instructions|directions|steps|method|preparation|step|zubereitung|préparation|preparación|how to make|anleitung|étapes|elaboración|modo de preparo|modo de preparação|preparazione|procedimento|bereiding|bereidingswijze|gör så här|så här gör du|tillagning|fremgangsmåte|fremgangsmåde|sådan gør du|przygotowanie|sposób przygotowania|elkészítés|postup|hazırlanışı|приготовление|作り方|做法|步骤',
  'prep time': 'prep time|preparation time|prep|vorbereitungszeit',
  'cook time': 'cook time|cooking time|cook|baking time|kochzeit|cuisson',
  'total time': 'total time|ready in|time|total|gesamtzeit|overall time',
  yield: 'recipe yield|yield|servings|serves|portions|makes|portionen|serving size',
  cuisine: 'recipe cuisine|cuisine',
  calories: 'calories|kcal|energy',
  email: 'email|e mail|email address|mail|contact email|correo',
  phone:
    'telephone|phone|tel|phone number|mobile|contact phone|telefon|téléphone|teléfono|telephone number|contact number',
  fax: 'fax|fax number|fax no',
  isbn: 'isbn|isbn 13|isbn13|isbn 10|isbn10',
  pages: 'number of pages|pages|page count|seiten|print length',
  duration: 'duration|length|runtime|running time|dauer|durée|duración',
  director: 'director|directors|directed by|regie',
  cast: 'actor|actors|cast|starring|stars of',
  condition: 'item condition|condition|zustand',
  color: 'color|colour|farbe|couleur',
  weight: 'weight|gewicht|poids|item weight',
  dimensions: 'dimensions|size dimensions|maße|product dimensions',
  size: 'size|größe|taille',
  material: 'material|materials',
  opening:
    'opening hours|hours|business hours|opening times|öffnungszeiten|opening hours specification',
  faq: 'faq|faqs|questions|main entity|questions and answers|q a',
  question: 'question|frage',
  answer: 'answer|accepted answer|antwort|solution',
  mileage: 'mileage|mileage from odometer|odometer|kilometers|kilometerstand|miles',
  year: 'year|model year|vehicle model date|baujahr|year built|production date|release year|published year',
  license: 'license|licence|lizenz',
  version: 'version|software version|latest version',
  headings: 'headings|subheadings|sections',
  links: 'links|urls|hyperlinks|outbound links',
  favicon: 'favicon|icon|site icon',
  'word count': 'word count|words|number of words',
}

const GROUP_OF = new Map(
  Object.entries(GROUPS).flatMap(([group, phrases]) =>
    phrases.split('|').map((phrase) => [phrase, group] as const),
  ),
)
/** Words that only repeat what the whole record is about: `product_price` is a price. */
const PREFIX =
  /^(?:product|item|article|event|job|recipe|page|post|book|movie|film|the|main|full|primary|listing|store|shop|web|raw|original|contact|company|news|blog|vehicle|car|hotel|restaurant|course|app|quote|total|overall|document|doc|video|episode|podcast|profile|seller)\s+/
const SUFFIX =
  /\s+(?:text|value|string|name|url|iso|info|information|label|usd|eur|gbp|kes|number|count|at|list)$/

/** The group a phrase belongs to, or the phrase itself. */
export function groupOf(phrase: string): string {
  const known = GROUP_OF.get(phrase)
  if (known) return known
  const shorter = [
    phrase.replace(PREFIX, ''),
    phrase.replace(SUFFIX, ''),
    phrase.replace(PREFIX, '').replace(SUFFIX, ''),
  ]
  for (const one of shorter) if (one !== phrase && GROUP_OF.has(one)) return GROUP_OF.get(one)!
  const singular = phrase.replace(/(?<=\w{3})s$/, '')
  return GROUP_OF.get(singular) ?? phrase
}

export const isKnownPhrase = (phrase: string): boolean => GROUP_OF.has(phrase)

const stem = (word: string): string => word.replace(/(?<=\w{3})(?:ies|es|s)$/, '')

/** How well a label answers a wanted key, 0..1. */
export function matchKeys(wanted: string, label: string): number {
  if (wanted === label) return MATCH.identical
  const [group, other] = [groupOf(wanted), groupOf(label)]
  if (group === other) {
    // A key cut down by its prefix or suffix is less sure than one that is known as it stands.
    return GROUP_OF.has(wanted) && GROUP_OF.has(label) ? MATCH.synonym : MATCH.synonymInPart
  }
  const want = wanted.split(' ').map(stem)
  const have = label.split(' ').map(stem)
  if (want.join(' ') === have.join(' ')) return MATCH.sameWords
  const all = want.every((word) => have.includes(word))
  if (all && want.length > 1 && have.length <= want.length + 2) return MATCH.insideLabel
  if (all && have.length <= 2 && want[0]!.length > 3 && !GROUP_OF.has(wanted))
    return MATCH.insideShortLabel
  if (want.length > 1 && have.length > 1 && have.every((word) => want.includes(word)))
    return MATCH.partOfKey
  return 0
}
