// Draws the cards of the rules; without script they are shown as sign and word.
import "./boot.js";
import {card, need} from "./cards.js";

const article = document.querySelector("article");
const deck = article.dataset.definition ? JSON.parse(article.dataset.definition) : (article.dataset.deck ?? null);

await need(deck);
for (const shown of article.querySelectorAll("[data-card]")) {
  const label = shown.querySelector("abbr").title;
  shown.replaceChildren(card(shown.dataset.card, {deck, label}));
}
