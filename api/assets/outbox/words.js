// Loads the words of the outbox before any module uses them.
import {lang, learn} from "../say.js";

learn((await import(`../words/outbox.${lang}.js`)).WORDS);
