// One connection for many streams (POST /v1/streams): opens it, reads its messages, and notices by missing heartbeats when it is dead.
const SILENT = 40000; // milliseconds; a heartbeat comes every 15 s

export class Connection {
  #request = new AbortController();
  #closed = false;
  #silence;

  /**
   * @param topics what is followed, as the service takes it.
   * @param took gets the messages of each piece that comes, and `{date, epoch}` of the response.
   * @param ended is called once it is over, unless `close` was.
   */
  constructor(topics, took, ended) {
    this.#read(topics, took)
      .catch(() => {}) // no network, or nobody behind it: that is an end like others
      .then(() => {
        clearTimeout(this.#silence);
        if (!this.#closed) ended();
      });
  }

  close() {
    this.#closed = true;
    this.#request.abort();
  }

  async #read(topics, took) {
    this.#listen();
    const headers = {"Content-Type": "application/json", Accept: "text/event-stream"};
    const answer = await fetch("/v1/streams", {method: "POST", headers, body: JSON.stringify({topics}), signal: this.#request.signal});
    if (!answer.ok) return this.#request.abort();
    const facts = {date: answer.headers.get("date"), epoch: answer.headers.get("kiebitz-epoch")};
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let kept = ""; ; ) {
      const {done, value} = await reader.read();
      if (done || this.#closed) return;
      this.#listen();
      const pieces = (kept + value).split("\n\n");
      kept = pieces.pop();
      took(pieces.map(parse), facts);
    }
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#request.abort(), SILENT);
  }
}

/** A message by its fields: topic, event, id, data. A heartbeat has the topic alone. */
function parse(piece) {
  const fields = piece.split("\n").map(line => line.match(/^(\w+): (.*)$/)).filter(Boolean);
  return Object.fromEntries(fields.map(([, name, value]) => [name, value]));
}
