// Calls with retry, for the programs beside this file. Node 24 runs them as they are; they need no packages.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const ATTEMPTS = 8;

/** The service answered with a problem: compare `code`, show `detail`. */
export class Problem extends Error {
  status: number;
  code: string;
  body: Record<string, any>;
  constructor(status: number, body: Record<string, any>) {
    super(body.detail ?? `status ${status}`);
    this.status = status;
    this.code = body.code ?? "";
    this.body = body;
  }
}

export class Service {
  url: string;
  token: string;
  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send("GET", path, headers);
  }

  /** All attempts of an act have one key, so it is recorded once. `position`: only if nobody recorded anything since. */
  async post(path: string, body: unknown, position?: number): Promise<any> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": randomUUID() };
    const ifMatch = position === undefined ? {} : { "If-Match": `"${position}"` };
    return (await this.send("POST", path, { ...headers, ...ifMatch }, JSON.stringify(body))).json();
  }

  private async send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const usual = Math.min(15, 0.5 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      let asked = 0;
      try {
        const answer = await fetch(this.url + path, { method, body, headers: { Authorization: `Bearer ${this.token}`, ...headers } });
        if (answer.ok) return answer;
        const problem = new Problem(answer.status, await answer.json().catch(() => ({})));
        const again = [429, 502, 503, 504].includes(problem.status) || problem.code === "in_flight";
        if (!again || attempt === ATTEMPTS) throw problem;
        asked = Number(answer.headers.get("retry-after") ?? 0);
      } catch (error) {
        if (error instanceof Problem || attempt === ATTEMPTS) throw error;
      }
      await pause(1000 * Math.max(asked, usual));
    }
  }
}
