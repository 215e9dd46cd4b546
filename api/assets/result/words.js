// The words of the result card.
import {lang, learn} from "../say.js";

learn((await import(`../words/result.${lang}.js`)).WORDS);
