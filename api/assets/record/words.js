// The words of this page, before anything of it says one.
import {lang, learn} from "../say.js";

learn((await import(`../words/record.${lang}.js`)).default);
