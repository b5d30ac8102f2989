/** Names of months and their abbreviations, as dates in many languages write them. */

/** One line a month, all languages together: Latin scripts first, then others. */
const MONTHS: readonly string[] = [
  'january jan januar jän jänner januari janvier janv enero ene gennaio gen janeiro styczeń stycznia sty января янв січня leden ledna január ianuarie ian siječnja januarie tammikuu tammikuuta ocak oca jan. januára ιανουαρίου ιανουάριος يناير كانون_الثاني ינואר जनवरी janúar sausio janvāris janvārī jaanuar มกราคม ม.ค.',
  'february feb februar februari février févr fév fevrier febrero febbraio fevereiro fev luty lutego февраля фев лютого únor února február februarie veljače helmikuu helmikuuta şubat şub februára φεβρουαρίου φεβρουάριος فبراير شباط פברואר फ़रवरी फरवरी vasario februāris februārī veebruar กุมภาพันธ์ ก.พ.',
  'march mar mär märz maart mars marzo março marco marec marca марта мар березня brt mrt březen března március márc martie ožujka maaliskuu maaliskuuta mart maret marzec marts μαρτίου μάρτιος مارس آذار מרץ मार्च kovo märts มีนาคม มี.ค.',
  'april apr avril avr abril abr aprile kwiecień kwietnia kwi апреля апр квітня duben dubna április ápr aprilie travnja huhtikuu huhtikuuta nisan nis apríl apríla απριλίου απρίλιος أبريل ابريل نيسان אפריל अप्रैल balandžio aprīlis aprīlī aprill เมษายน เม.ย.',
  'may mai mei mayo maggio mag maio maj maja мая май травня květen května május máj svibnja toukokuu toukokuuta mayıs may. majus μαΐου μάιος مايو أيار ماي מאי मई gegužės maijs maijā พฤษภาคม พ.ค.',
  'june jun juni juin junio giugno giu junho czerwiec czerwca cze июня июн червня červen června június jún iunie lipnja kesäkuu kesäkuuta haziran haz jún júna ιουνίου ιούνιος يونيو يونيه حزيران جوان יוני जून birželio jūnijs jūnijā juuni มิถุนายน มิ.ย.',
  'july jul juli juillet juil julio luglio lug julho lipiec lipca июля июл липня červenec července július júl iulie srpnja heinäkuu heinäkuuta temmuz tem júla ιουλίου ιούλιος يوليو يوليه تموز جويلية יולי जुलाई liepos jūlijs jūlijā juuli กรกฎาคม ก.ค.',
  'august aug août aout agosto ago augustus sierpień sierpnia sie августа авг серпня srpen srpna augusztus kolovoza elokuu elokuuta ağustos ağu augusti agustus augusta αυγούστου αύγουστος أغسطس اغسطس آب أوت אוגוסט अगस्त rugpjūčio augusts augustā สิงหาคม ส.ค.',
  'september sep sept septembre septiembre settembre set setembro wrzesień września wrz сентября сен сент вересня září szeptember septembrie rujna syyskuu syyskuuta eylül eyl septembra σεπτεμβρίου σεπτέμβριος سبتمبر أيلول ספטמבר सितंबर rugsėjo septembris septembrī กันยายน ก.ย.',
  'october oct oktober okt octobre octubre ottobre ott outubro out październik października paź октября окт жовтня říjen října október octombrie lokakuu lokakuuta ekim eki októbra οκτωβρίου οκτώβριος أكتوبر اكتوبر تشرين_الأول אוקטובר अक्टूबर spalio oktobris oktobrī ตุลาคม ต.ค.',
  'november nov novembre noviembre novembro listopad listopada listopadu lis ноября ноя листопада noiembrie studenoga studenog marraskuu marraskuuta kasım kas novembra νοεμβρίου νοέμβριος نوفمبر تشرين_الثاني נובמבר नवंबर lapkričio novembris novembrī พฤศจิกายน พ.ย.',
  'december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro grudzień grudnia gru декабря дек грудня prosinec prosince decembrie prosinca joulukuu joulukuuta aralık ara desember des decembra δεκεμβρίου δεκέμβριος ديسمبر كانون_الأول דצמבר दिसंबर gruodžio decembris decembrī detsember ธันวาคม ธ.ค.',
]

const MONTH_OF = new Map(
  MONTHS.flatMap((line, index) =>
    line.split(' ').map((name) => [name.replaceAll('_', ' '), index + 1] as const),
  ),
)

/** A pattern for any of the names, as one group; longer ones first. */
export const MONTH_NAME = `(${[...MONTH_OF.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replaceAll('.', '\\.'))
  .join('|')})(?![\\p{L}])`

/** 1 to 12, or 0 for no month. */
export const monthOf = (name: string): number => MONTH_OF.get(name.toLowerCase()) ?? 0
