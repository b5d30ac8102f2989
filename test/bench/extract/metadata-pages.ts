/**
 * Metadata fixtures: documents with embedded data in one syntax each, and what a conforming reader
 * finds. Each wanted item is a set of leaves; a leaf counts as found when the answer of its syntax
 * has the same value under the same last name.
 */
export type Syntax =
  | 'json-ld'
  | 'microdata'
  | 'rdfa'
  | 'opengraph'
  | 'twitter'
  | 'dublin core'
  | 'meta'
export interface MetadataPage {
  name: string
  syntax: Syntax
  html: string
  url?: string
  /** Name (without prefix or vocabulary) and value of every leaf, types as `@type`. */
  leaves: readonly (readonly [string, string | number | boolean])[]
}

const ld = (json: string, attributes = 'type="application/ld+json"'): string =>
  `<script ${attributes}>${json}</script>`
const S = 'https://schema.org/'

const JSON_LD: MetadataPage[] = [
  {
    name: 'plain',
    syntax: 'json-ld',
    html: ld(
      '{"@context":"https://schema.org","@type":"Event","name":"Ball","location":{"@type":"Place","name":"Hall"},"startDate":"2025-01-01"}',
    ),
    leaves: [
      ['@type', 'Event'],
      ['name', 'Ball'],
      ['@type', 'Place'],
      ['name', 'Hall'],
      ['startDate', '2025-01-01'],
    ],
  },
  {
    name: 'graph-and-array',
    syntax: 'json-ld',
    html:
      ld(
        '{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"W"},{"@type":["Article","NewsArticle"],"headline":"H"}]}',
      ) + ld('[{"@type":"Thing","name":"A"},{"@type":"Thing","name":"B"}]'),
    leaves: [
      ['name', 'W'],
      ['headline', 'H'],
      ['@type', 'NewsArticle'],
      ['name', 'A'],
      ['name', 'B'],
    ],
  },
  {
    name: 'upper-case-type-and-parameters',
    syntax: 'json-ld',
    html:
      ld('{"@type":"Thing","name":"A"}', 'TYPE="Application/LD+JSON"') +
      ld('{"@type":"Thing","name":"B"}', 'type="application/ld+json; charset=utf-8"') +
      ld('{"@type":"Thing","name":"C"}', "type='application/ld+json' class=yoast-schema-graph"),
    leaves: [
      ['name', 'A'],
      ['name', 'B'],
      ['name', 'C'],
    ],
  },
  {
    name: 'cdata-and-html-comment',
    syntax: 'json-ld',
    html:
      ld('\n//<![CDATA[\n{"@type":"Thing","name":"A"}\n//]]>\n') +
      ld('<![CDATA[{"@type":"Thing","name":"B"}]]>') +
      ld('<!--\n{"@type":"Thing","name":"C"}\n-->') +
      ld('/*<![CDATA[*/{"@type":"Thing","name":"D"}/*]]>*/'),
    leaves: [
      ['name', 'A'],
      ['name', 'B'],
      ['name', 'C'],
      ['name', 'D'],
    ],
  },
  {
    name: 'trailing-commas-and-semicolon',
    syntax: 'json-ld',
    html:
      ld('{"@type":"Thing","name":"A","sameAs":["x","y",],};') +
      ld('{"@type":"Thing",,"name":"B"}'),
    leaves: [
      ['name', 'A'],
      ['sameAs', 'x'],
      ['sameAs', 'y'],
      ['name', 'B'],
    ],
  },
  {
    name: 'control-characters-newlines-in-strings',
    syntax: 'json-ld',
    html: ld('{"@type":"Thing","description":"one\ntwo","name":"tab\there\u0003"}'),
    leaves: [
      ['description', 'one two'],
      ['name', 'tab here'],
    ],
  },
  {
    name: 'entities',
    syntax: 'json-ld',
    html: ld(
      '{"@type":"Thing","name":"Fish &amp; Chips &#8211; caf&eacute;","description":"&lt;b&gt;x&lt;/b&gt;"}',
    ),
    leaves: [['name', 'Fish & Chips – café']],
  },
  {
    name: 'escaped-quotes-entities-as-delimiters',
    syntax: 'json-ld',
    html: ld('{&quot;@type&quot;:&quot;Thing&quot;,&quot;name&quot;:&quot;A&quot;}'),
    leaves: [['name', 'A']],
  },
  {
    name: 'line-comments',
    syntax: 'json-ld',
    html: ld(
      '{\n// the type\n"@type":"Thing", "url":"http://a.example/x//y",\n/* name */ "name":"A" // end\n}',
    ),
    leaves: [
      ['name', 'A'],
      ['url', 'http://a.example/x//y'],
    ],
  },
  {
    name: 'bad-escape-and-single-quotes',
    syntax: 'json-ld',
    html: ld('{"@type":"Thing","name":"It\\\'s"}') + ld("{'@type':'Thing','name':'B'}"),
    leaves: [
      ['name', "It's"],
      ['name', 'B'],
    ],
  },
  {
    name: 'one-broken-among-good',
    syntax: 'json-ld',
    html:
      ld('{"@type":"Thing","name":"A"}') +
      ld('{{ page.schema }}') +
      ld('') +
      ld('{"@type":"Thing","name":"B"}'),
    leaves: [
      ['name', 'A'],
      ['name', 'B'],
    ],
  },
  {
    name: 'in-body-with-numbers-and-booleans',
    syntax: 'json-ld',
    html: `<body><div>${ld('{"@type":"Offer","price":12.5,"quantity":3,"isFamilyFriendly":true}')}</div></body>`,
    leaves: [
      ['price', 12.5],
      ['quantity', 3],
      ['isFamilyFriendly', true],
    ],
  },
  {
    name: 'duplicate-unquoted-keys',
    syntax: 'json-ld',
    html: ld('{"@type":"Thing", name: "A", url: "http://u.example/"}'),
    leaves: [
      ['name', 'A'],
      ['url', 'http://u.example/'],
    ],
  },
  {
    name: 'bom-and-byte-noise',
    syntax: 'json-ld',
    html: ld('\uFEFF {"@type":"Thing","name":"A"}\u0000'),
    leaves: [['name', 'A']],
  },
  {
    name: 'missing-closing-brace',
    syntax: 'json-ld',
    html: ld('{"@type":"Product","name":"A","offers":{"@type":"Offer","price":"3.00"}'),
    leaves: [
      ['name', 'A'],
      ['price', '3.00'],
    ],
  },
  {
    name: 'unescaped-quotes-inside',
    syntax: 'json-ld',
    html: ld('{"@type":"Article","headline":"The "great" escape","author":"Ann"}'),
    leaves: [['author', 'Ann']],
  },
]

const MICRODATA: MetadataPage[] = [
  {
    name: 'nested',
    syntax: 'microdata',
    html: `<div itemscope itemtype="${S}Movie"><h1 itemprop="name">Avat</h1><div itemprop="director" itemscope itemtype="${S}Person">By <span itemprop="name">J C</span> (born <time itemprop="birthDate" datetime="1954-08-16">1954</time>)</div><a href="/t.html" itemprop="trailer">T</a></div>`,
    url: 'http://m.example/',
    leaves: [
      ['@type', `${S}Movie`],
      ['name', 'Avat'],
      ['@type', `${S}Person`],
      ['name', 'J C'],
      ['birthDate', '1954-08-16'],
      ['trailer', 'http://m.example/t.html'],
    ],
  },
  {
    name: 'itemref',
    syntax: 'microdata',
    html: `<div itemscope itemtype="${S}Person" itemref="a b"></div><p id="a">Name: <span itemprop="name">Amanda</span></p><div id="b" itemprop="band" itemscope itemref="c"></div><div id="c"><p>Band: <span itemprop="name">Jazz Band</span></p><p>Size: <span itemprop="size">12</span> players</p></div>`,
    leaves: [
      ['name', 'Amanda'],
      ['name', 'Jazz Band'],
      ['size', '12'],
    ],
  },
  {
    name: 'itemref-loop',
    syntax: 'microdata',
    html: `<div itemscope itemtype="${S}Thing" itemref="x" id="y"><span itemprop="name">A</span></div><div id="x"><span itemprop="url">u</span><div itemprop="child" itemscope itemref="x"><b itemprop="name">B</b></div></div>`,
    leaves: [['name', 'A']],
  },
  {
    name: 'value-elements',
    syntax: 'microdata',
    html: `<div itemscope itemtype="${S}Thing"><meta itemprop="m" content="mv"><audio itemprop="au" src="/a.mp3"></audio><video itemprop="vi" src="/v.mp4"></video><iframe itemprop="if" src="/i.html"></iframe><embed itemprop="em" src="/e"><source itemprop="so" src="/s"><track itemprop="tr" src="/t"><area itemprop="ar" href="/ar"><link itemprop="li" href="/li"><object itemprop="ob" data="/o.swf"></object><data itemprop="da" value="42">forty</data><meter itemprop="me" value="4.5">4.5/5</meter><time itemprop="ti">2009-05-10</time><img itemprop="im" src="i.png"></div>`,
    url: 'http://m.example/d/',
    leaves: [
      ['m', 'mv'],
      ['au', 'http://m.example/a.mp3'],
      ['vi', 'http://m.example/v.mp4'],
      ['if', 'http://m.example/i.html'],
      ['em', 'http://m.example/e'],
      ['so', 'http://m.example/s'],
      ['tr', 'http://m.example/t'],
      ['ar', 'http://m.example/ar'],
      ['li', 'http://m.example/li'],
      ['ob', 'http://m.example/o.swf'],
      ['da', '42'],
      ['me', '4.5'],
      ['ti', '2009-05-10'],
      ['im', 'http://m.example/d/i.png'],
    ],
  },
  {
    name: 'several-names-and-types',
    syntax: 'microdata',
    html: `<div itemscope itemtype="${S}Product ${S}Car" itemid="urn:x:1"><span itemprop="name alternateName">Vee</span><span itemprop="color">red</span><span itemprop="color">blue</span></div>`,
    leaves: [
      ['@type', `${S}Product`],
      ['@type', `${S}Car`],
      ['name', 'Vee'],
      ['alternateName', 'Vee'],
      ['color', 'red'],
      ['color', 'blue'],
      ['id', 'urn:x:1'],
    ],
  },
  {
    name: 'top-level-items',
    syntax: 'microdata',
    html: `<div itemscope itemtype="${S}A"><b itemprop="p">1</b></div><ul><li itemscope itemtype="${S}B"><b itemprop="p">2</b><li itemscope itemtype="${S}B"><b itemprop="p">3</b></ul><div itemscope><b itemprop="q">4</b></div>`,
    leaves: [
      ['p', '1'],
      ['p', '2'],
      ['p', '3'],
      ['q', '4'],
    ],
  },
  {
    name: 'head-meta-in-scope',
    syntax: 'microdata',
    html: `<html itemscope itemtype="${S}WebPage"><head><meta itemprop="name" content="Page"><meta itemprop="image" content="http://i.example/a.png"><link itemprop="url" href="http://u.example/"></head><body><div itemprop="mainEntity" itemscope itemtype="${S}Thing"><p itemprop="description">two  words<br>here</p></div></body></html>`,
    leaves: [
      ['name', 'Page'],
      ['image', 'http://i.example/a.png'],
      ['url', 'http://u.example/'],
      ['description', 'two words here'],
    ],
  },
  {
    name: 'full-url-names',
    syntax: 'microdata',
    html: `<div itemscope itemtype="http://data-vocabulary.org/Breadcrumb"><a itemprop="url" href="/x"><span itemprop="title">Home</span></a><span itemprop="http://purl.org/dc/terms/creator">Ann</span></div>`,
    url: 'http://b.example/',
    leaves: [
      ['@type', 'http://data-vocabulary.org/Breadcrumb'],
      ['url', 'http://b.example/x'],
      ['title', 'Home'],
      ['creator', 'Ann'],
    ],
  },
  {
    name: 'table-rows-and-base',
    syntax: 'microdata',
    html: `<html><head><base href="http://base.example/z/"></head><body><table itemscope itemtype="${S}Table"><tr itemprop="row" itemscope><td itemprop="cell">1<td itemprop="cell">2</tr></table><div itemscope itemtype="${S}Thing"><a itemprop="url" href="k">k</a></div></body></html>`,
    leaves: [
      ['cell', '1'],
      ['cell', '2'],
      ['url', 'http://base.example/z/k'],
    ],
  },
]

const RDFA: MetadataPage[] = [
  {
    name: 'lite',
    syntax: 'rdfa',
    html: `<div vocab="http://schema.org/" typeof="Person"><span property="name">Manu</span><a property="url" href="http://m.example/">x</a><img property="image" src="http://m.example/i.png"><div property="address" typeof="PostalAddress"><span property="addressLocality">Lyon</span></div></div>`,
    leaves: [
      ['@type', 'http://schema.org/Person'],
      ['name', 'Manu'],
      ['url', 'http://m.example/'],
      ['image', 'http://m.example/i.png'],
      ['@type', 'http://schema.org/PostalAddress'],
      ['addressLocality', 'Lyon'],
    ],
  },
  {
    name: 'prefixes',
    syntax: 'rdfa',
    html: `<html prefix="dct: http://purl.org/dc/terms/ foaf: http://xmlns.com/foaf/0.1/"><body><p about="/doc" typeof="foaf:Document"><span property="dct:title">T</span> <span property="dct:date" content="2011-05-01">May</span> <a rel="foaf:maker" href="http://me.example/">me</a></p></body></html>`,
    url: 'http://d.example/',
    leaves: [
      ['@type', 'http://xmlns.com/foaf/0.1/Document'],
      ['title', 'T'],
      ['date', '2011-05-01'],
      ['maker', 'http://me.example/'],
      ['id', 'http://d.example/doc'],
    ],
  },
  {
    name: 'xmlns-prefix',
    syntax: 'rdfa',
    html: `<div xmlns:v="http://rdf.data-vocabulary.org/#" typeof="v:Review"><span property="v:itemreviewed">Romeo Pizza</span> by <span property="v:reviewer">Ulysses</span> <span rel="v:rating"><span typeof="v:Rating"><span property="v:value">9.5</span></span></span></div>`,
    leaves: [
      ['@type', 'http://rdf.data-vocabulary.org/#Review'],
      ['itemreviewed', 'Romeo Pizza'],
      ['reviewer', 'Ulysses'],
      ['value', '9.5'],
    ],
  },
  {
    name: 'resource-chaining',
    syntax: 'rdfa',
    html: `<div vocab="http://schema.org/" resource="#event" typeof="Event"><span property="name">Ball</span><div property="location" resource="#hall" typeof="Place"><span property="name">Hall</span></div><time property="startDate" datetime="2025-01-01">1 Jan</time></div>`,
    url: 'http://e.example/p',
    leaves: [
      ['name', 'Ball'],
      ['name', 'Hall'],
      ['startDate', '2025-01-01'],
      ['id', 'http://e.example/p#event'],
      ['id', 'http://e.example/p#hall'],
    ],
  },
  {
    name: 'rev-and-inlist',
    syntax: 'rdfa',
    html: `<div prefix="foaf: http://xmlns.com/foaf/0.1/ bibo: http://purl.org/ontology/bibo/" about="http://b.example/1" typeof="bibo:Book"><span property="bibo:authors" inlist>Ann</span><span property="bibo:authors" inlist>Ben</span><a rev="foaf:made" href="http://a.example/">maker</a></div>`,
    leaves: [
      ['@type', 'http://purl.org/ontology/bibo/Book'],
      ['authors', 'Ann'],
      ['authors', 'Ben'],
    ],
  },
  {
    name: 'several-properties-datatype',
    syntax: 'rdfa',
    html: `<p vocab="http://schema.org/" typeof="Product"><span property="name alternateName">Kettle</span><span property="weight" datatype="xsd:decimal" content="1.2">1,2 kg</span></p>`,
    leaves: [
      ['name', 'Kettle'],
      ['alternateName', 'Kettle'],
      ['weight', '1.2'],
    ],
  },
  {
    name: 'meta-in-head',
    syntax: 'rdfa',
    html: `<html prefix="og: http://ogp.me/ns#"><head><meta property="og:title" content="T"><meta property="article:published_time" content="2020-01-01"></head><body></body></html>`,
    leaves: [['title', 'T']],
  },
]

const HEAD: MetadataPage[] = [
  {
    name: 'og-arrays-and-structure',
    syntax: 'opengraph',
    html: `<html><head><meta property="og:title" content="The Rock"><meta property="og:type" content="video.movie"><meta property="og:image" content="http://i.example/1.jpg"><meta property="og:image:width" content="300"><meta property="og:image" content="http://i.example/2.jpg"><meta property="og:image:width" content="600"><meta property="og:locale:alternate" content="fr_FR"><meta property="og:locale:alternate" content="es_ES"><meta property="video:actor" content="http://a.example/s"></head></html>`,
    leaves: [
      ['title', 'The Rock'],
      ['type', 'video.movie'],
      ['image', 'http://i.example/1.jpg'],
      ['image', 'http://i.example/2.jpg'],
      ['image:width', '300'],
      ['image:width', '600'],
      ['locale:alternate', 'fr_FR'],
      ['locale:alternate', 'es_ES'],
      ['actor', 'http://a.example/s'],
    ],
  },
  {
    name: 'og-name-attribute-and-body',
    syntax: 'opengraph',
    html: `<html><head><meta name="og:title" content="A &amp; B"><META PROPERTY="OG:Description" CONTENT="D"></head><body><meta property="og:url" content="http://u.example/"><meta property="fb:app_id" content="77"></body></html>`,
    leaves: [
      ['title', 'A & B'],
      ['Description', 'D'],
      ['url', 'http://u.example/'],
      ['app_id', '77'],
    ],
  },
  {
    name: 'og-custom-prefix',
    syntax: 'opengraph',
    html: `<html prefix="og: http://ogp.me/ns# product: http://ogp.me/ns/product#"><head><meta property="og:type" content="product"><meta property="product:price:amount" content="9.99"><meta property="product:price:currency" content="USD"><meta property="article:tag" content="x"><meta property="music:duration" content="236"><meta property="profile:username" content="ann"></head></html>`,
    leaves: [
      ['type', 'product'],
      ['price:amount', '9.99'],
      ['price:currency', 'USD'],
      ['tag', 'x'],
      ['duration', '236'],
      ['username', 'ann'],
    ],
  },
  {
    name: 'twitter',
    syntax: 'twitter',
    html: `<html><head><meta name="twitter:card" content="summary_large_image"><meta property="twitter:title" content="T"><meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ann"></head></html>`,
    leaves: [
      ['card', 'summary_large_image'],
      ['title', 'T'],
      ['label1', 'Written by'],
      ['data1', 'Ann'],
    ],
  },
  {
    name: 'dublin-core',
    syntax: 'dublin core',
    html: `<html><head><link rel="schema.DC" href="http://purl.org/dc/elements/1.1/"><link rel="schema.DCTERMS" href="http://purl.org/dc/terms/"><meta name="DC.title" lang="en" content="T"><meta name="DC.creator" content="Ann"><meta name="DC.creator" content="Ben"><meta name="DCTERMS.created" scheme="DCTERMS.W3CDTF" content="2001-07-18"><meta name="dc.date.issued" content="2003"><meta name="dc:subject" content="s"><link rel="DCTERMS.isPartOf" href="http://p.example/"></head></html>`,
    leaves: [
      ['title', 'T'],
      ['creator', 'Ann'],
      ['creator', 'Ben'],
      ['created', '2001-07-18'],
      ['date.issued', '2003'],
      ['subject', 's'],
      ['isPartOf', 'http://p.example/'],
    ],
  },
  {
    name: 'meta',
    syntax: 'meta',
    html: `<html><head><meta name="Description" content=" About  this "><meta name="keywords" content="a, b"><meta name="citation_author" content="Ann"><meta name="citation_author" content="Ben"><meta name="parsely-title" content="P"><meta http-equiv="content-language" content="de"><meta itemprop="ratingValue" content="5"></head></html>`,
    leaves: [
      ['Description', 'About this'],
      ['keywords', 'a, b'],
      ['citation_author', 'Ann'],
      ['citation_author', 'Ben'],
      ['parsely-title', 'P'],
    ],
  },
]

export const METADATA_PAGES: MetadataPage[] = [...JSON_LD, ...MICRODATA, ...RDFA, ...HEAD]
