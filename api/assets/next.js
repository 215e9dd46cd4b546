// The page of a table at which no game is on: as soon as something happens in the tournament it is asked for anew, and leads to the game.
import "./boot.js";
import {follow, ofTournament} from "./live.js";

const SPREAD = 1500; // milliseconds that a hall of tablets spreads over

follow(ofTournament(decodeURIComponent(location.pathname.split("/")[2])), () => setTimeout(() => location.reload(), Math.random() * SPREAD));
