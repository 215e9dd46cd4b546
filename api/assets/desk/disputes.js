// The disputes and rulings of a game: undecided ones come first, each a step away from its position.
import {h} from "../dom.js";
import {figure, say} from "../say.js";
import {wordsAt} from "../replay/subjects.js";

const WAITS = ["open", "appealed"];

/** A section of what waits, and one of what is decided. */
export function disputes(state) {
  const {disputes: all} = state.found;
  const waiting = all.filter(one => WAITS.includes(one.state)), done = all.filter(one => !WAITS.includes(one.state));
  return [
    waiting.length ? h("ul", {class: "cases"}, waiting.map(one => entry(state, one))) : h("p", {class: "quiet"}, say("desk.none")),
    done.length ? h("details", {}, h("summary", {}, say("desk.decided", {count: done.length})), h("ul", {class: "cases"}, done.map(one => entry(state, one)))) : null,
  ].filter(Boolean);
}

function entry(state, dispute) {
  const {game} = state, who = nameSeat(game, dispute.seat), appeal = dispute.appeal;
  const decided = state.found.rulings.filter(ruling => ruling.dispute === dispute.number);
  return h("li", {"data-stage": dispute.state},
    h("p", {class: "about"},
      h("strong", {}, say("desk.dispute", {number: dispute.number})), " ", h("span", {class: "pill", "data-state": WAITS.includes(dispute.state) ? "busy" : "good"}, say(`desk.stage.${dispute.state}`))),
    dispute.refused_move ? null : h("p", {class: "quiet"}, wordsAt(dispute.position)),
    h("p", {}, `${who}: `, dispute.claim ? h("q", {}, dispute.claim) : h("span", {class: "quiet"}, say("desk.no_claim"))),
    decided.map(ruling => h("p", {}, say("desk.decided_so", {decision: say(`desk.decision.${ruling.decision}`), rules: ruling.rules.join(", ")}),
      ruling.points.map(({party, points}) => ` · ${sideOf(game, party)} ${points > 0 ? "+" : ""}${figure(points)}`), ruling.reason && [" ", h("q", {}, ruling.reason)])),
    appeal && h("p", {}, say("desk.appealed_by", {who: nameSeat(game, appeal.seat)}), " ", appeal.reason ? h("q", {}, appeal.reason) : h("span", {class: "quiet"}, say("desk.no_claim"))),
    h("p", {class: "acts"},
      h("a", {class: "button", href: `#p${dispute.position}`}, say("desk.show")),
      WAITS.includes(dispute.state) ? h("button", {class: "main", type: "button", onclick: () => state.open(dispute)}, say("desk.rule")) : null,
      form(game, dispute, "ruling"), decided.length > 0 && form(game, dispute, "appeal")));
}

const nameSeat = ({names}, seat) => (seat === null ? say("desk.official") : names[seat]);
const sideOf = ({parties, names}, party) => parties[party].map(seat => names[seat]).join(" & ");
const form = ({id}, {number}, kind) => h("a", {class: "button", href: `/g/${id}/form?kind=${kind}&dispute=${number}`, target: "_blank"}, say(`desk.form.${kind}`));
