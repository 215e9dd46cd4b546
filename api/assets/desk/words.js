// The words of the desk, before anything of it says one.
import {lang, learn} from "../say.js";

learn((await import(`../words/desk.${lang}.js`)).default);
