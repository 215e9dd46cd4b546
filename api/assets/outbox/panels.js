// Decisions before the rest of the outbox is sent: after a conflict, a refusal, or a change of the signed-in person.
import "./words.js";
import {ask} from "../api.js";
import {h} from "../dom.js";
import {say} from "../say.js";

const PANELS = {conflict, same, refused: showRefused, "signed-out": askSignIn, others};

/**
 * The panel of a state of the outbox; null where there is nothing to decide.
 * @param ruleset of the game, for links to its rules
 * @param correct called with an entry that was refused: the page puts it back into its line
 * @param caption the lines of a frame
 * @param arbiter called with the sentence for an arbiter: the page raises a dispute
 */
export function panel(state, box, {ruleset, correct, arbiter, caption}) {
  const told = PANELS[state.link]?.(state, box, {ruleset, correct, arbiter, caption});
  return told ? h("section", {class: "outbox warning", role: "alert", "aria-label": say("outbox.title")}, told) : null;
}

/** The words for the pill: what is kept here, sent, or recorded. */
export function pill({link, entries, lasting}) {
  const [key, look] = {recorded: ["recorded", "good"], sending: ["sending", "busy"]}[link] ?? [STUCK.includes(link) ? "stopped" : "kept", STUCK.includes(link) ? "bad" : "off"];
  return {says: say(lasting || key === "recorded" ? `outbox.pill.${key}` : "outbox.pill.passing", {count: entries.length}), look};
}

const STUCK = Object.keys(PANELS);

const button = (key, onclick, {count, ...more} = {}) => h("button", {type: "button", onclick, ...more}, say(key, {count}));

const HASTY = 600; // milliseconds: the second tap of a double tap is no answer

/** Asks once more where more than one line is lost: the button says the number, and is tapped again. */
function dropping(key, count, drop, more = {}) {
  const sure = button("outbox.drop_count", drop, {class: "danger", disabled: true, count});
  const ask = ({currentTarget: first}) => {
    first.replaceWith(sure);
    setTimeout(() => sure.removeAttribute("disabled"), HASTY);
  };
  return button(key, count > 1 ? ask : drop, more);
}

function conflict(state, box, {arbiter, caption}) {
  const ours = state.entries.map(entry => h("li", {}, entry.words));
  const theirs = h("ol", {}, state.missed.map(event => h("li", {}, event.name))), acts = h("div", {class: "acts"});
  read(box.game, state.missed, theirs, caption);
  const call = () => arbiter(say("outbox.claim", {ours: state.entries.map(entry => entry.words).join(" · ")}));
  listWays(state, box).then(({ways, why}) => {
    const all = [...ways, more => button("outbox.arbiter", call, more), more => dropping("outbox.take_theirs", ours.length, () => box.takeTheirs(), more)];
    acts.replaceChildren(...all.map((way, place) => way(place ? {} : {class: "main"})));
    if (why) acts.before(h("p", {}, why));
  });
  return [
    h("p", {}, say("outbox.conflict")),
    h("div", {class: "both"}, h("div", {}, h("h3", {}, say("outbox.theirs")), theirs), h("div", {}, h("h3", {}, say("outbox.ours")), h("ol", {}, ours))),
    acts,
  ];
}

/** The ways out of a conflict that lose nothing, as far as the service lets them; `why`: the reason where theirs cannot be taken back. */
async function listWays({entries: [first], missed}, box) {
  const to = first.path === "rewinds" ? first.body.to : first.position;
  const [reach, follows] = await Promise.all([dryRun(box.game, "rewinds", {to}), isNext(first, box.game, missed)]);
  const after = more => button("outbox.again", () => box.again(), more), back = more => button("outbox.take_back", () => box.takeBack(to, say("outbox.taken_back")), more);
  return {ways: [...(follows ? [after] : []), ...(reach.ok ? [back] : [])], why: reach.ok ? null : reach.data?.detail};
}

/** Whether this act can follow what others recorded; cards may be asked for. An undo would take theirs back: it is no act after it. */
async function isNext({path, body}, game, missed) {
  if (path === "rewinds") return false;
  if (path === "hands") return missed.every(({name}) => !name.startsWith("hand."));
  const {ok, data} = await dryRun(game, path, body);
  return ok || Boolean(data?.asks);
}

/** The answer to an act that is not recorded (a dry run). */
const dryRun = (game, path, body) => ask(`/v1/games/${game}/${path}?dry_run=true`, {body}).catch(() => ({ok: false}));

/** The sentences of events recorded meanwhile, as this reader may know them. */
async function read(game, missed, list, caption) {
  const [first, last] = [missed[0], missed.at(-1)].map(event => event?.position);
  const answer = await ask(`/v1/games/${game}/replay?after=${first - 1}&last=${last}&tables=false&names=true&limit=100`).catch(() => null);
  if (answer?.ok) list.replaceChildren(...answer.data.frames.map(frame => h("li", {}, caption(frame)[0])));
}

function same(state, box) {
  const [first, ...rest] = state.entries;
  return [
    h("p", {}, say("outbox.same", {words: first.words})),
    rest.length ? h("ol", {}, rest.map(entry => h("li", {}, entry.words))) : null,
    h("p", {class: "acts"}, button(rest.length ? "outbox.skip" : "outbox.good", () => box.skip(), {class: "main"})),
  ];
}

function showRefused({entries, problem}, box, {ruleset, correct}) {
  const [first, ...rest] = entries;
  const rules = (problem?.rules ?? []).map(rule => rule.number ?? rule);
  return [
    h("p", {}, h("strong", {}, first.words)),
    h("p", {}, problem?.detail ?? say("outbox.unread"), " ", rules.map(rule => [h("a", {href: `/rules/${ruleset}#${rule}`, target: "_blank"}, rule), " "])),
    rest.length ? [h("p", {}, say("outbox.rest", {count: rest.length})), h("ol", {}, rest.map(entry => h("li", {}, entry.words)))] : null,
    h("p", {class: "acts"}, dropping(rest.length ? "outbox.correct_all" : "outbox.correct", rest.length, () => correct(first), {class: "main"}), dropping(rest.length ? "outbox.drop_all" : "outbox.drop", entries.length, () => box.drop(first.n))),
  ];
}

const here = () => encodeURIComponent(location.pathname + location.search);

function askSignIn({entries, problem}, box) {
  const known = problem?.status === 403;
  return [
    h("p", {}, say(known ? "outbox.forbidden" : "outbox.signed_out", {count: entries.length, why: problem?.detail})),
    h("p", {class: "acts"}, h("a", {class: "button main", href: `/in?next=${here()}`}, say(known ? "outbox.sign_in_else" : "outbox.sign_in")), button("outbox.once_more", () => box.again())),
  ];
}

function others({entries, by}, box) {
  return [
    h("p", {}, say("outbox.others", {who: by.label || say("outbox.somebody"), count: entries.length})),
    h("ol", {}, entries.map(entry => h("li", {}, entry.words))),
    h("p", {class: "acts"}, button("outbox.as_mine", () => box.again(), {class: "main"}), dropping("outbox.drop_all", entries.length, () => box.drop(entries[0].n))),
  ];
}
