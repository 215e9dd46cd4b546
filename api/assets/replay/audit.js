// The audit of the game by the rules. Divergences are marked on the slider and in the list.
import {by} from "../dom.js";
import {say} from "../say.js";
import {mark} from "./stage.js";
import {load, path, story} from "./story.js";

/** Requests the audit, and shows the result on its button. `lineAt(position)` is the line of the list. */
export async function audit(lineAt) {
  const button = by("audit");
  const answer = await load(path("audit"), {wait: 60}).catch(fault => fault);
  if (answer instanceof Error) return Object.assign(button, {textContent: answer.message});
  const found = new Set(answer.divergences.map(({position}) => position));
  for (const frame of story.frames) {
    frame.found = found.has(frame.position);
    lineAt(frame.position)?.classList.toggle("found", frame.found);
  }
  mark();
  button.dataset.verdict = answer.verdict;
  button.textContent = found.size ? `✗ ${say("replay.found", {count: found.size})}` : `✓ ${say("replay.sound")}`;
}
