// Words of the result card at the end of a hand.
export const WORDS = {
  "result.label": "Result",
  "result.hand": "Hand {hand}: {end}",
  "result.wins": "Game over: {who} wins",
  "result.win": "Game over: {who} win",
  "result.lost": "Game over: nobody wins",
  "result.leads": "In the lead: {who}",
  "result.level": "All are level.",
  "result.agree": "Agree",
  "result.agreed": "All sides agreed.",
  "result.dispute": "Dispute: the count",
  "result.claim": "The count of hand {hand}",
  "result.deal": "Next hand",
  "result.next": "Next hand: {who} deals",
  "result.sheet": "Sheet",
  "result.home": "My tables",
  "result.new": "New game",
};
