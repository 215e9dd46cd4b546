// Cards that a seat lays by the rules as soon as it holds them: red threes, whole quartets. Nobody sees that they are due, so no act asks for them.
import {card} from "../cards.js";
import {say} from "../say.js";
import {facts, names} from "../replay/story.js";
import {question} from "./asking.js";
import {nameCards, notation} from "./notation.js";

const drawCard = code => card(code, {deck: facts.deck});

/** The cards that were laid with the deal, by the hand from which they came; null where the question was left. */
export async function askLaid() {
  const hands = {};
  for (let first = true; ; first = false) {
    const lines = Object.entries(hands).map(([zone, cards]) => `${names()[zone.split(":")[1]]}: ${nameCards(cards)}.`);
    const nobody = {chip: say(first ? "record.laid.nobody" : "record.laid.nobody_else"), text: ""};
    const seat = await choice([say(`record.laid.${facts.ruleset}`), ...lines].join(" "), [nobody, ...names().map((chip, seat) => ({chip, text: `${seat + 1}`}))]);
    if (!seat) return seat === null ? null : hands;
    const groups = notation.laid.map((cards, place) => ({chip: cards.map(drawCard), words: nameCards(cards), text: `${place + 1}`}));
    const group = await choice(say("record.laid.what", {who: names()[seat - 1]}), groups);
    if (group === null) return null;
    (hands[`hand:${seat - 1}`] ??= []).push(...notation.laid[group - 1]);
  }
}

/** The number of a choice, or what Enter alone means, 0; null where it was left. */
function choice(words, options) {
  const read = text => (options.some(one => one.text === text.trim()) ? {value: Number(text)} : {says: say("record.number")});
  return question({words, who: say("record.deal"), options, read});
}
