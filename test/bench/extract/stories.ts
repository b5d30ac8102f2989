/** Texts of the article fixtures: own writing, in twelve languages, told in uneven paragraphs. */
export interface Story {
  title: string
  paragraphs: readonly string[]
}

export const BRIDGE: Story = {
  title: 'Old rail bridge to reopen as a footpath after eleven-year campaign',
  paragraphs: [
    'The iron bridge over the Wend, closed since a barge struck one of its piers in 2013, will reopen to walkers and cyclists in June, the regional transport board said on Thursday.',
    'Work on the deck is finished and the last of the lamps were hung this week. What is missing is a handrail on the eastern side, which has to be cast in three pieces because no foundry in the country can still make it in one.',
    '“We stopped believing in dates a long time ago,” said Petra Hallam, who founded the campaign in her kitchen with two neighbours and a borrowed printer. “I will believe it when my dog has crossed it.”',
    'The cost has risen from 4.1 million to 7.8 million since the first estimate. The board blames the price of steel and a colony of swifts that nested in the arches for two summers and could not be disturbed.',
    'Opponents on the town council had argued that a second road bridge would serve more people. A study in 2019 found that nine in ten trips over the river are shorter than three kilometres.',
    'Shops on the west bank hope for better days. The bakery at the former station lost a third of its customers when the crossing closed and cut its opening hours to the morning.',
    'A ceremony is planned for 14 June. The choir that sang on the last train in 1987 has been asked to sing again; four of its members are still alive.',
  ],
}

export const SALT: Story = {
  title: 'What the salt farmers know about the weather',
  paragraphs: [
    'At five in the morning the pans are the colour of tin. Ilja Moravec walks the dykes between them with a wooden rake over his shoulder and looks at the sky, as his mother did, and does not say anything for a while.',
    'Then: “Not today.”',
    'There is no cloud. The forecast on the radio promised eleven hours of sun. But the wind has turned in the night and smells of the marsh, and by noon, he says, there will be rain, and a pan that is opened in the rain is a week of work lost.',
    'It rains at ten past twelve.',
    'I had come here to write about salt, which is what people come here for. The restaurants of the capital pay forty times as much for it as for the kind from the mine, and somebody from a magazine takes a photograph of the rakes every year. But in the days that I spent with the eleven families who still farm the bay, we hardly talked of salt at all.',
    'We talked about the air. They have forty words for it. There is a word for the wind that dries and a word for the wind that only seems to, and a word, rarely used, for the stillness that comes before a storm at the end of summer, when the birds stop and the surface of the water goes thick, like soup.',
    'None of it is written down. A meteorologist from the university tried, three years ago, with a notebook and later with a recorder, and gave up when she understood that the words meant different things on the northern and on the southern dyke.',
    'She stayed, however. She now owns two pans and a rake.',
  ],
}

export const PUMP: Story = {
  title: 'Replacing the circulation pump of a small heating system',
  paragraphs: [
    'Most circulation pumps last between ten and fifteen years. When yours begins to hum, or when the radiators furthest from the boiler stay cold although they have been bled, it is probably time.',
    'Before you order anything, write down three numbers from the old pump: the length between the flanges, the thread size, and the maximum head in metres. The first two decide whether the new pump fits, the last one whether it works.',
    'Turn off the boiler and pull the fuse. Wait until the pipes have cooled down to a temperature at which you can hold them, which takes about an hour.',
    'Close the two valves beside the pump. If there are no valves, you have to drain the whole system, and that is the moment at which I would call somebody.',
    'Loosen the union nuts a quarter turn at a time with two wrenches. A cup of black water will run out; that is normal.',
    'Put in the new gaskets dry, without grease or sealing paste. Tighten by hand first, then half a turn with the wrench.',
    'Open the valves slowly, vent the pump, and only then connect the power. A pump that runs dry for a minute is ruined.',
  ],
}

export const CHESS: Story = {
  title: 'Fifteen-year-old holds champion to a draw in simultaneous exhibition',
  paragraphs: [
    'A schoolgirl from the outskirts of Brno took half a point from the reigning national champion on Saturday, the only one of thirty-two opponents to do so.',
    'Eliška Dvorská, 15, who learned the game four years ago from a library book, offered a repetition on move 41 with a pawn less and her clock almost empty.',
    'The champion thought for a minute, laughed, and shook her hand.',
    '“She saw the only defence, and she saw it before I did,” he told reporters.',
    'The exhibition raised 86,000 crowns for chess clubs at village schools. A return match with clocks is being discussed for the autumn.',
  ],
}

export const BEES: Story = {
  title: 'City beekeepers told to move hives away from tram lines',
  paragraphs: [
    'Hobby beekeepers with hives within fifteen metres of a tram line have until the end of September to move them, the municipal environment office has ruled.',
    'The decision follows forty-one complaints from drivers about swarms on signal posts. On one occasion in May line 9 stood still for two hours until a volunteer arrived with a cardboard box and a spray bottle.',
    'The beekeepers’ association called the distance arbitrary. “A swarm goes where it wants, and it does not read orders,” its chair, Hamid Rostami, said in a statement.',
    'The office says that the fifteen metres are based on a count made over two seasons, in which four swarms out of five settled within that strip.',
    'About 230 of the 1,900 registered hives in the city are affected. The office offers places on the roofs of nine schools, two fire stations and the old slaughterhouse free of charge.',
    'An objection can be filed until 31 July. It has no suspensive effect.',
  ],
}

export const COMPILER: Story = {
  title: 'Why our build got slower every time we made it faster',
  paragraphs: [
    'Last spring our build took nineteen minutes. We bought faster machines and it took fourteen. We split the tests and it took nine. In September it took twenty-two.',
    'This post is about how that happened, because I think that it happens to everybody, and because the answer turned out to have little to do with computers.',
    'The first thing we learned when we finally measured was that nobody had been waiting for the build. When it took nineteen minutes people did something else in the meantime. When it took nine they sat in front of it.',
    'So they pushed smaller changes, more of them, and each of them started a build of its own. The queue, which had never been longer than three, was forty deep on most afternoons.',
    'We had optimised the service time of a queue whose arrival rate depended on the service time. There is a whole literature about this; it is mostly about motorways.',
    'What helped was dull. We batch changes that touch the same module, we cancel builds whose commit has been superseded, and the dashboard shows the waiting time instead of the building time.',
    'The build still takes nine minutes. The median change now waits four.',
  ],
}

export const VOTE: Story = {
  title: 'Senate passes water bill after all-night session',
  paragraphs: [
    'Senators voted 52 to 46 early on Wednesday to overhaul the country’s water law for the first time in four decades, after a debate that ran through the night and twice seemed about to collapse.',
    'The bill obliges utilities to publish leak rates, caps the price of the first forty cubic metres per household and year, and creates a fund of $3.2 billion for pipes in towns with fewer than 20,000 inhabitants.',
    'Two members of the governing coalition voted against it, while five from the opposition crossed the floor.',
    '“Nobody got what they wanted, and that is how you can tell it is a law,” said Senator Ruth Okonjo, who had negotiated the price cap in the small hours with a delegation of mayors.',
    'The utilities’ federation said that it would study the text. Its shares had fallen before the vote, but recovered in early trading.',
    'The lower house is expected to take up the bill on 3 September. The president has said that she will sign it.',
    'Environmental groups were divided. Some welcomed the duty to publish leaks; others noted that irrigation, which uses two thirds of all fresh water, was left out entirely.',
  ],
}

export const RELEASE: Story = {
  title: 'Norlake Instruments Opens Calibration Laboratory in Tallinn',
  paragraphs: [
    'Norlake Instruments AB today announced the opening of a calibration laboratory in Tallinn, its first outside the Nordic countries.',
    'The laboratory is accredited for pressure, temperature and humidity, and returns instruments to customers in the Baltic states within three working days.',
    '“Our customers have asked for shorter turnaround for years,” said Anneli Saar, chief executive of Norlake Instruments. “From today a probe that leaves Riga on Monday is back on Thursday.”',
    'The company invested 2.4 million euros and will employ eighteen people at the site by the end of the year.',
    'Norlake Instruments was founded in 1974 and makes measuring equipment for dairies, breweries and hospitals. It is listed on the Stockholm exchange.',
  ],
}

export const GERMAN: Story = {
  title: 'Im Moor von Lahde werden die Torfbahnen abgebaut',
  paragraphs: [
    'Vierzig Kilometer Gleis haben die Arbeiter in den vergangenen drei Monaten aus dem Lahder Moor geholt, Schwelle für Schwelle, meist zu Fuß, weil die Maschinen auf dem weichen Boden einsinken.',
    'Bis in die neunziger Jahre fuhr hier die Torfbahn, zuletzt zweimal am Tag. Danach verfielen die Strecken, und die Entwässerungsgräben neben den Dämmen legten das Moor weiter trocken, obwohl niemand mehr Torf stach.',
    '„Jeder Graben, den wir schließen, ist ein Stück Moor, das wieder wächst“, sagt die Projektleiterin Silke Brandhorst. Bis Ende des nächsten Jahres sollen es sechshundert Hektar sein.',
    'Nicht alle sind glücklich darüber. Der Heimatverein wollte wenigstens fünf Kilometer für eine Museumsbahn erhalten, scheiterte aber an den Kosten für die Sicherung der Brücken.',
    'Eine Lokomotive bleibt immerhin: Sie steht seit Pfingsten vor dem alten Lokschuppen, frisch gestrichen, auf zwölf Metern Gleis.',
  ],
}

export const FRENCH: Story = {
  title: 'À Sainte-Orne, la dernière librairie devient une coopérative',
  paragraphs: [
    'Ils sont deux cent quatorze à avoir acheté une part, à cinquante euros pièce, pour que la librairie de la place ne ferme pas. Parmi eux, le boulanger, l’ancienne institutrice et une classe de CM2 qui a vendu des gâteaux pendant un mois.',
    'La propriétaire, Odile Marchand, partait à la retraite après trente et un ans derrière le comptoir. Aucun repreneur ne s’était présenté, et une enseigne de téléphonie avait déjà visité les lieux.',
    '« Je ne voulais pas voir des coques de portable à la place de la poésie », raconte-t-elle en riant.',
    'La coopérative emploie deux salariées et s’appuie sur une trentaine de bénévoles, qui assurent les lectures du samedi et la tournée des villages voisins dans une camionnette prêtée par la mairie.',
    'Le premier bilan sera présenté en novembre. D’ici là, il faut vendre quarante livres par jour : la semaine dernière, la moyenne était de trente-sept.',
  ],
}

export const SPANISH: Story = {
  title: 'Un pueblo sin cobertura instala su propia red de telefonía',
  paragraphs: [
    'Durante años los vecinos de Valdeolmos subían al cementerio para llamar por teléfono, porque era el único lugar del pueblo donde llegaba la señal. Desde el lunes pueden hacerlo desde la cocina.',
    'La red la han montado ellos mismos, con cuatro antenas compradas de segunda mano y un cable que cruza el río colgado de la vieja pasarela.',
    'El ayuntamiento puso el permiso y la luz; lo demás, unos nueve mil euros, salió de una rifa y de las fiestas de agosto.',
    '«Nos decían que no éramos rentables», explica Teresa Luengo, maestra jubilada y presidenta de la asociación. «Y tenían razón: no lo hacemos por dinero».',
    'Tres municipios de la comarca ya han pedido los planos. La operadora más grande del país, que había rechazado dos veces la solicitud, anunció ayer que estudiará la zona.',
  ],
}

export const PORTUGUESE: Story = {
  title: 'Pescadores trocam redes por câmeras para contar golfinhos',
  paragraphs: [
    'Quando o barco de Zé Raimundo sai do cais, às quatro da manhã, já não leva rede. Leva duas câmeras, um hidrofone e uma garrafa térmica de café.',
    'Desde março, doze pescadores da vila são pagos para contar os golfinhos da baía, num projeto da universidade estadual que começou com desconfiança dos dois lados.',
    'Os cientistas achavam que eles exagerariam os números; os pescadores, que os cientistas não sabiam remar. Ambos tinham alguma razão.',
    'Em seis meses foram identificados oitenta e três animais pela forma da barbatana, quase o dobro do que se estimava. O mais velho, batizado de Coronel, aparece em fotografias de 1996.',
    'O financiamento termina em dezembro. A associação procura agora uma forma de continuar, talvez com visitantes, talvez com a merenda das escolas.',
  ],
}

export const RUSSIAN: Story = {
  title: 'В Карелии восстановили деревянный маяк по старым чертежам',
  paragraphs: [
    'Маяк на острове Сальма снова зажгли в субботу вечером, спустя тридцать два года после того, как его последний смотритель уехал на материк.',
    'Башню высотой восемнадцать метров собрали заново из лиственницы. Чертежи 1874 года нашлись в архиве лесничества, в папке с расписанием паромов.',
    '«Мы сделали всё, как там написано, и только потом поняли, почему именно так», — рассказал бригадир плотников Андрей Логинов. По его словам, башня должна слегка качаться на ветру, иначе треснут стёкла фонаря.',
    'На работы ушло два сезона. Деньги собирали всем районом, а брёвна перевозили зимой по льду.',
    'Теперь на маяке снова живёт смотритель: бывшая учительница географии, которая согласилась провести здесь первый год.',
  ],
}

export const JAPANESE: Story = {
  title: '廃校の体育館で醤油づくりを再開、町の若者ら十二人',
  paragraphs: [
    '山あいの町で三年前に廃校となった小学校の体育館で、地元の若者ら十二人が醤油づくりを始めた。最初の樽が開くのは来年の秋になる見込みだ。',
    'きっかけは、町に一軒だけ残っていた蔵元の廃業だった。木桶は八十年以上使われたもので、捨てるには惜しいと、役場に勤める小林由美さん（三十四）が引き取った。',
    '「においが移ると言われて、置き場所がなかった。体育館なら誰も文句を言わないと思って」と小林さんは笑う。',
    '仕込みには町内の大豆と小麦を使い、温度の管理は元教員の男性が毎朝歩いて見に来る。',
    '完成した醤油は、まず学校給食に届ける予定という。',
  ],
}

export const CHINESE: Story = {
  title: '老渡口重新开航，船票仍是两元',
  paragraphs: [
    '停航六年之后，青石镇的老渡口在星期一早晨重新开航。第一班船坐满了人，其中不少是专程从县城赶来的老人。',
    '渡口始建于清末，大桥通车以后客流逐年减少，2018年最后一条船退役。镇里原打算把码头改成停车场，后来因为居民反对而作罢。',
    '新船是一条电动船，能载四十人，由镇上的两位老船工轮流驾驶。“水还是那个水，就是声音没了，刚开始不习惯。”六十一岁的船工陈德福说。',
    '船票仍然是两元，和停航前一样。镇政府表示，亏损部分由旅游收入补贴，至少三年不涨价。',
    '第二班船是下午四点，正好赶上学校放学。',
  ],
}

export const ARABIC: Story = {
  title: 'قرية جبلية تعيد فتح مدرستها بعد عودة العائلات',
  paragraphs: [
    'فتحت مدرسة قرية عين الصفصاف أبوابها صباح الأحد للمرة الأولى منذ سبع سنوات، بعد أن عادت إليها ثلاث وعشرون عائلة كانت قد هاجرت إلى المدينة بحثا عن العمل.',
    'وقال مدير المدرسة يوسف الحداد إن عدد التلاميذ بلغ واحدا وأربعين تلميذا في أربعة صفوف، وإن المعلمين يقيمون في بيوت أعدها لهم الأهالي.',
    'ورمم السكان السقف بأنفسهم خلال الصيف، واشتروا المقاعد من مدرسة أغلقت في البلدة المجاورة.',
    'وتقول أم سليم، وهي جدة لستة من التلاميذ، إنها لم تسمع جرس المدرسة منذ سنوات، وإنها بكت حين رن من جديد.',
    'ولا تزال الطريق إلى القرية غير معبدة، ويخشى الأهالي أن تنقطع في الشتاء كما في كل عام.',
  ],
}

export const DUTCH: Story = {
  title: 'Fietsenmaker repareert gratis wie een verhaal vertelt',
  paragraphs: [
    'Wie bij Joost van Dalen een lekke band laat plakken, hoeft niet te betalen, zolang hij iets vertelt wat de fietsenmaker nog niet kende.',
    'Het begon als een grap tijdens de strenge winter van 2021, toen er nauwelijks klanten kwamen. Inmiddels hangen er meer dan achthonderd verhalen, met de hand opgeschreven, aan de muur van de werkplaats.',
    'Het kortste telt vier woorden. Het langste duurde twee kettingen en een achterwiel.',
    'De bibliotheek wil er nu een boek van maken. Van Dalen twijfelt nog: veel vertellers wilden alleen hun band geplakt hebben.',
  ],
}

export const POLISH: Story = {
  title: 'Zegar na ratuszu znów spóźnia się o siedem minut',
  paragraphs: [
    'Po remoncie, który kosztował prawie pół miliona złotych, zegar na ratuszu w Brzezinach chodził dokładnie przez jedenaście dni. Od środy znów spóźnia się o siedem minut, tak jak przez poprzednie sto lat.',
    'Mieszkańcy są zadowoleni. „Autobusy i tak jeżdżą według niego”, mówi Halina Wrona, która prowadzi kiosk naprzeciwko.',
    'Zegarmistrz twierdzi, że mechanizm jest sprawny, a winna jest wieża, która latem się nagrzewa i lekko przechyla.',
    'Burmistrz zapowiedział, że kolejnej naprawy nie będzie. Na tablicy przy wejściu ma się pojawić informacja dla turystów.',
  ],
}
