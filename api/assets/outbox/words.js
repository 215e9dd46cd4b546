// The words of the outbox, before anything of it says one.
import {lang, learn} from "../say.js";

learn((await import(`../words/outbox.${lang}.js`)).default);
