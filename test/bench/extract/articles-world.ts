/** Article fixtures in other languages than English, with dates and bylines as they are written there. */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import {
  ARABIC,
  CHINESE,
  DUTCH,
  FRENCH,
  GERMAN,
  JAPANESE,
  POLISH,
  PORTUGUESE,
  RUSSIAN,
  SPANISH,
} from './stories.ts'

const german: ArticlePage = {
  name: 'de-newspaper',
  title: GERMAN.title,
  author: 'Katrin Vossbeck',
  date: '2023-05-31',
  html: `<!doctype html><html lang="de"><head><title>Torfbahn: Im Moor von Lahde werden die Torfbahnen abgebaut - Regionalbote</title><meta property="og:title" content="Im Moor von Lahde werden die Torfbahnen abgebaut"></head><body><div class="cmp">Mit Werbung und Tracking weiterlesen. Besuchen Sie uns wie gewohnt mit Werbung. Details zu Werbetracking finden Sie im Privacy Center.</div><nav><a>Politik</a><a>Wirtschaft</a><a>Region</a></nav><main><article><header><h2><span class="kicker">Torfbahn</span> <span>${GERMAN.title}</span></h2><p class="intro">${mark('Vierzig Kilometer Gleis verschwinden, damit das Wasser zurückkehren kann.')}</p><div class="autor">Von <a href="/autoren/vossbeck">Katrin Vossbeck</a></div><time datetime="2023-05-31T17:05:00+02:00">31.05.2023, 17.05 Uhr</time></header>${paragraphs(GERMAN, 0, 3)}<div class="teaser-inline"><span>Lesen Sie auch</span><a href="/x">Wie die Gemeinde ihr Schwimmbad rettete</a></div>${paragraphs(GERMAN, 3)}<p class="kuerzel">kvo/dpa</p></article><section class="kommentare"><h3>12 Kommentare</h3><p>Melden Sie sich an, um mitzudiskutieren. Bitte beachten Sie unsere Netiquette und bleiben Sie sachlich.</p></section></main><footer>Impressum Datenschutz AGB Kontakt Abo kündigen</footer></body></html>`,
}

const french: ArticlePage = {
  name: 'fr-newspaper',
  title: FRENCH.title,
  author: 'Hélène Caradec',
  date: '2022-10-04',
  html: `<!doctype html><html lang="fr"><head><title>À Sainte-Orne, la dernière librairie devient une coopérative</title><meta property="og:site_name" content="Le Courrier de l’Orne"></head><body><div class="consent"><p>Nous et nos partenaires utilisons des cookies pour mesurer l’audience et personnaliser la publicité.</p></div><header><a>Le Courrier de l’Orne</a><a>S’abonner</a></header><main><section class="article__wrapper"><h1 class="article__title">${FRENCH.title}</h1><p class="article__desc">${mark('Deux cent quatorze habitants ont acheté une part pour sauver leur librairie.')}</p><p class="meta">Par <span class="meta__author">Hélène Caradec</span></p><p class="meta__date">Publié le 04 octobre 2022 à 06h30, modifié le 05 octobre 2022 à 11h12</p><section class="article__content">${paragraphs(FRENCH, 0, 2)}<section class="catcher"><p>Lire aussi : <a href="/l">Le cinéma du bourg rouvre ses portes</a></p></section>${paragraphs(FRENCH, 2)}</section><section class="author-sign"><span>Hélène Caradec</span> (Sainte-Orne, correspondante)</section></section><section class="services"><h3>Services</h3><ul><li>Codes promo</li><li>Mots croisés</li></ul></section></main></body></html>`,
}

const spanish: ArticlePage = {
  name: 'es-newspaper',
  title: SPANISH.title,
  author: 'Marcos Iriarte',
  date: '2021-09-14',
  html: `<html lang="es"><head><title>Un pueblo sin cobertura instala su propia red de telefonía | Sociedad | La Voz del Páramo</title>${jsonLd({ '@context': 'http://schema.org', '@type': 'NewsArticle', headline: SPANISH.title, datePublished: '2021-09-14T00:00:00+02:00', author: ['Marcos Iriarte'], publisher: { '@type': 'Organization', name: 'La Voz del Páramo' } })}</head><body><header><nav><a>España</a><a>Sociedad</a></nav></header><div class="cuerpo"><h1>${SPANISH.title}</h1><h2>${mark('Cuatro antenas de segunda mano y un cable sobre el río')}</h2><div class="firma">Marcos Iriarte<br>Valdeolmos - 14 sept 2021 - 00:00 CEST</div><div class="texto">${paragraphs(SPANISH, 0, 4)}<div class="suscripcion"><p>Recibe cada mañana las noticias más importantes en tu correo. Apúntate gratis a nuestro boletín.</p></div>${paragraphs(SPANISH, 4)}</div><div class="archivado"><b>Archivado en</b> <a>Telefonía</a> · <a>Despoblación</a></div></div><footer>© La Voz del Páramo. Prohibida la reproducción total o parcial.</footer></body></html>`,
}

const portuguese: ArticlePage = {
  name: 'pt-portal',
  title: PORTUGUESE.title,
  author: 'Rafaela Nunes',
  date: '2023-09-07',
  html: `<!doctype html><html lang="pt-BR"><head><title>Pescadores trocam redes por câmeras para contar golfinhos | Litoral | Portal Maré</title></head><body><header><a>Portal Maré</a></header><main><h1 class="content-head__title">${PORTUGUESE.title}</h1><h2 class="content-head__subtitle">${mark('Doze pescadores são pagos para contar os golfinhos da baía.')}</h2><div class="content-publication-data"><p class="content-publication-data__from">Por <span>Rafaela Nunes</span>, Portal Maré — Vila do Cais</p><p class="content-publication-data__updated">07/09/2023 05h02 Atualizado há 2 anos</p></div><div class="mc-body">${PORTUGUESE.paragraphs.map((text) => `<div class="mc-column content-text"><p class="content-text__container">${mark(text)}</p></div>`).join('')}<div class="wall"><div>Vídeos mais vistos do Portal</div></div></div><div class="saiba-mais"><h3>Veja também</h3><a>Barco afunda sem deixar feridos</a></div></main></body></html>`,
}

const russian: ArticlePage = {
  name: 'ru-portal',
  title: RUSSIAN.title,
  author: 'Ольга Сергеева',
  date: '2022-08-15',
  html: `<!doctype html><html lang="ru"><head><title>В Карелии восстановили деревянный маяк по старым чертежам :: Новости Севера</title></head><body><div class="top-menu"><a>Политика</a><a>Общество</a><a>Спорт</a></div><div class="article"><div class="article__header__date">15 августа 2022, 10:37</div><h1 class="article__header__title">${RUSSIAN.title}</h1><div class="article__author">Автор: Ольга Сергеева</div><div class="article__text">${paragraphs(RUSSIAN, 0, 3)}<div class="article__inline-item"><a>Читайте также: Паром на Валаам изменил расписание</a></div>${paragraphs(RUSSIAN, 3)}<p class="article__subscribe">Подписывайтесь на наш канал, чтобы первыми узнавать новости.</p></div><div class="tags">Теги: <a>Карелия</a>, <a>маяк</a></div></div><footer>© Новости Севера, 2022. Все права защищены. При использовании материалов ссылка обязательна.</footer></body></html>`,
}

const japanese: ArticlePage = {
  name: 'ja-newspaper',
  title: JAPANESE.title,
  author: '佐藤健一',
  date: '2023-11-08',
  html: `<!doctype html><html lang="ja"><head><meta charset="utf-8"><title>廃校の体育館で醤油づくりを再開、町の若者ら十二人：北山新聞デジタル</title></head><body><header><a>北山新聞デジタル</a><nav><a>トップ</a><a>社会</a><a>経済</a></nav></header><main><h1>${JAPANESE.title}</h1><p class="author">佐藤健一</p><p class="date">2023年11月8日 10時00分</p><div class="article-body">${paragraphs(JAPANESE)}</div><div class="related"><h2>関連記事</h2><ul><li><a>木桶職人が語る八十年</a></li><li><a>給食の味、変わります</a></li></ul></div><div class="ad">有料会員になると続きをお読みいただけます。</div></main><footer>無断転載を禁じます。</footer></body></html>`,
}

const chinese: ArticlePage = {
  name: 'zh-portal',
  title: CHINESE.title,
  author: '李文',
  date: '2024-05-13',
  html: `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>老渡口重新开航，船票仍是两元_青石新闻网</title></head><body><div class="nav"><a>首页</a><a>新闻</a><a>社会</a></div><div class="main"><h1>${CHINESE.title}</h1><div class="info">2024-05-13 09:21:00　来源：青石日报　作者：李文</div><div id="artibody">${CHINESE.paragraphs.map((text) => `<p>　　${mark(text)}</p>`).join('')}<p class="editor">（责任编辑：王芳）</p></div><div class="share">分享到：微信 微博</div><div class="hot"><h3>热点推荐</h3><ul><li><a>县城新增三条公交线路</a></li><li><a>今年高考天气预报公布</a></li></ul></div></div><div class="footer">版权所有 未经许可不得转载 京ICP备00000000号</div></body></html>`,
}

const arabic: ArticlePage = {
  name: 'ar-portal',
  title: ARABIC.title,
  author: 'ليلى منصور',
  date: '2022-09-18',
  html: `<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>قرية جبلية تعيد فتح مدرستها بعد عودة العائلات | أخبار الجبل</title></head><body><header><a>أخبار الجبل</a><a>سياسة</a><a>مجتمع</a></header><div class="post"><h1>${ARABIC.title}</h1><div class="details"><span class="writer">بقلم: ليلى منصور</span> <span class="date">18 سبتمبر 2022</span></div><div class="post-body">${paragraphs(ARABIC)}</div><div class="also"><h3>اقرأ أيضا</h3><a>افتتاح مكتبة متنقلة في الوادي</a></div></div><footer>جميع الحقوق محفوظة</footer></body></html>`,
}

const dutch: ArticlePage = {
  name: 'nl-local',
  title: DUTCH.title,
  author: 'Femke Bos',
  date: '2024-01-23',
  html: `<html lang="nl"><head><title>Fietsenmaker repareert gratis wie een verhaal vertelt - Stadsblad</title></head><body><div id="hdr">Stadsblad</div><div class="artikel"><h1>${DUTCH.title}</h1><div class="artikel-info">dinsdag 23 januari 2024 | Door: Femke Bos</div>${DUTCH.paragraphs.map((text) => `<div class="alinea">${mark(text)}</div>`).join('')}<div class="delen">Deel dit artikel</div></div><div class="rechts"><h4>Meest gelezen</h4><ol><li><a>Nieuwe brug krijgt toch geen naam</a></li><li><a>Markt een dag eerder wegens feestdag</a></li></ol></div></body></html>`,
}

const polish: ArticlePage = {
  name: 'pl-local',
  title: POLISH.title,
  author: 'Tomasz Wilk',
  date: '2020-10-08',
  html: `<html lang="pl"><head><title>Zegar na ratuszu znów spóźnia się o siedem minut - Głos Brzezin</title></head><body><ul class="menu"><li><a>Wiadomości</a></li><li><a>Sport</a></li></ul><div class="art"><h1>${POLISH.title}</h1><p class="data">8 października 2020</p><p class="aut">autor: Tomasz Wilk</p>${paragraphs(POLISH)}<p class="cyt">Czytaj także: <a>Kiosk naprzeciwko ratusza ma sto lat</a></p></div></body></html>`,
}

export const WORLD_ARTICLES: ArticlePage[] = [
  german,
  french,
  spanish,
  portuguese,
  russian,
  japanese,
  chinese,
  arabic,
  dutch,
  polish,
]
