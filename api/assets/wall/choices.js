// The director's choices arrive by a stream; by it the wall also knows whether the service is there.
import {subscribe} from "../streams.js";

/** Calls `read` where another version was chosen, and after a time without messages. */
export function choices(tournament, {version, told, lost, read}) {
  let newest = version(), isLost = false;
  const state = (name, {date}) => {
    if (name !== "open") lost(name);
    else told(date);
    if (name === "open" && (isLost || newest !== version())) read();
    isLost = name !== "open";
  };
  const receive = messages => {
    newest = messages.at(-1).id;
    if (newest !== version()) read();
  };
  subscribe(`/v1/tournaments/${encodeURIComponent(tournament)}/wall/stream`, {after: newest, receive, state});
}
