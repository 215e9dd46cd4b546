// Loads the words of the desk before any of its modules uses them.
import {lang, learn} from "../say.js";

learn((await import(`../words/desk.${lang}.js`)).WORDS);
