// The words of pages in the language of the page; the service's own sentences come in that language as well.
/** "en" or "de". */
export const lang = document.documentElement.lang || "en";
const {WORDS} = await import(`./words/${lang}.js`);

/** Further words, of a page that has many of its own. */
export const learn = more => Object.assign(WORDS, more);

/** The words under a key, with `{name}` filled in; the key itself where there are none. */
export const say = (key, values = {}) => (WORDS[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** A number as people write it in that language. */
export const figure = new Intl.NumberFormat(lang).format;

const locale = lang === "en" ? "en-GB" : lang; // 28 Nov 2026, 14:30: as the service writes it
const timeZone = document.documentElement.dataset?.zone;
const [TODAY, HOUR, DAY, LONG] = [
  {dateStyle: "short"}, {hour: "2-digit", minute: "2-digit"}, {dateStyle: "medium"}, {dateStyle: "medium", timeStyle: "short"},
].map(style => {
  try {
    return new Intl.DateTimeFormat(locale, {...style, timeZone});
  } catch { // a zone that this browser does not know
    return new Intl.DateTimeFormat(locale, style);
  }
});

/** A moment in the zone of the tournament or the house, else of this device: today its hour, else its day, too. Midnight of another day is
 * how a list without hours is stored: only the day. */
export function moment(at, now = new Date()) {
  const when = new Date(at);
  if (TODAY.format(when) === TODAY.format(now)) return HOUR.format(when);
  return (HOUR.format(when) === "00:00" ? DAY : LONG).format(when);
}
