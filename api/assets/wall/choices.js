// What the director chose arrives by a stream; it is also how the wall knows whether anybody is there.
import {subscribe} from "../streams.js";

/** `read` the page anew where another version was chosen, and after a time in which nothing was heard. */
export function choices(tournament, {version, told, lost, read}) {
  let newest = version(), isLost = false;
  const state = (name, {date}) => {
    if (name !== "open") lost(name);
    else told(date);
    if (name === "open" && (isLost || newest !== version())) read();
    isLost = name !== "open";
  };
  const heard = messages => {
    newest = messages.at(-1).id;
    if (newest !== version()) read();
  };
  subscribe(`/v1/tournaments/${encodeURIComponent(tournament)}/wall/stream`, {after: newest, heard, state});
}
