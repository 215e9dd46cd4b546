// Loads the words of the director's pages before any module uses them.
import {lang, learn, say} from "../say.js";

learn((await import(`../words/director.${lang}.js`)).WORDS);

/** Those under a key of these pages, with `{name}` filled in. */
export const words = (key, values) => say(`direct.${key}`, values);
