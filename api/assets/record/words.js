// Loads the words of this page before any module uses them.
import {lang, learn} from "../say.js";

learn((await import(`../words/record.${lang}.js`)).WORDS);
