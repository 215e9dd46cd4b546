// The page of a table without a game: as soon as something happens in the tournament it is requested again, and leads to the game.
import "./boot.js";
import {follow, ofTournament} from "./live.js";

const SPREAD = 1500; // milliseconds over which the tablets of a hall spread their requests

follow(ofTournament(decodeURIComponent(location.pathname.split("/")[2])), () => setTimeout(() => location.reload(), Math.random() * SPREAD));
