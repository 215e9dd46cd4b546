// Words of the result card at the end of a hand.
export const WORDS = {
  "result.label": "Ergebnis",
  "result.hand": "Spiel {hand}: {end}",
  "result.wins": "Partie zu Ende: {who} gewinnt",
  "result.win": "Partie zu Ende: {who} gewinnen",
  "result.lost": "Partie zu Ende: niemand gewinnt",
  "result.leads": "In Führung: {who}",
  "result.level": "Alle liegen gleichauf.",
  "result.agree": "Stimmt",
  "result.agreed": "Alle Seiten sind einverstanden.",
  "result.dispute": "Streitfall: die Zählung",
  "result.claim": "Die Zählung von Spiel {hand}",
  "result.deal": "Nächstes Spiel",
  "result.next": "Nächstes Spiel: {who} gibt",
  "result.sheet": "Zettel",
  "result.home": "Meine Tische",
  "result.new": "Neue Partie",
};
