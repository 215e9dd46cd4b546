// The words of the director's pages, before anything of them says one.
import {lang, learn, say} from "../say.js";

learn((await import(`../words/director.${lang}.js`)).default);

/** Those under a key of these pages, with `{name}` filled in. */
export const words = (key, values) => say(`direct.${key}`, values);
