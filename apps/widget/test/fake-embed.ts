import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";

export const embedId = "6f1d0c9a-3a5e-4a6b-9d5e-0d6b8f3f2a11";
const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

export interface Refused {
  status: number;
  body: Record<string, unknown> | string;
}
interface Turn {
  question: string;
  answer: string;
}
interface Question {
  body: Record<string, unknown>;
  key: string | undefined;
  contentType: string | undefined;
}

/** The gateway as visitors of other sites see it: the script's files and wire-contract 8.2. */
export class FakeEmbed {
  /** Whether it has signed sessions; AnythingLLM doesn't. */
  signed = true;
  session: Record<string, unknown> = { suggestedMessages: [], greeting: null };
  /** Parts of the next answer. */
  parts: string[] = ["Heat pumps ", "like **low** flow temperatures."];
  sources: unknown[] = [];
  /** While set, sessions wait for it. */
  begun: Promise<void> | null = null;
  /** While set, an answer waits for it after its first part. */
  held: Promise<void> | null = null;
  /** Refuses the next question. */
  refused: Refused | null = null;
  /** The next answer's connection breaks after its first part. */
  breaks = false;
  turns: Turn[] = [];
  questions: Question[] = [];
  sessions: Record<string, unknown>[] = [];
  stops = 0;
  private readonly answers = new Map<string, string[]>();
  private tokens = 0;

  private constructor(
    private readonly server: Server,
    private readonly dist: string,
  ) {
    server.on("request", (request, response) => void this.answer(request, response));
  }

  static async start(dist: string): Promise<FakeEmbed> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FakeEmbed(server, dist);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "Carrel-Visitor, Idempotency-Key");
    response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
    const path = new URL(request.url!, this.url).pathname;
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    if (path.startsWith("/embed/")) return this.file(path.slice("/embed/".length), response);
    const [id, last, action] = path.replace("/api/embed/", "").split("/");
    if (id !== embedId) return void response.writeHead(404).end("Not Found");
    const body = await text(request);
    if (last === "session") await this.begun;
    if (last === "session") return this.begin(body, response);
    if (last === "stream-chat") return this.chat(request, body, response);
    if (action === "stop") this.stops += 1;
    if (request.method === "DELETE") this.turns = [];
    const history = this.turns.flatMap(({ question, answer }) => [
      { role: "user", content: question },
      { role: "assistant", content: answer },
    ]);
    send(response, 200, { history });
  }

  private file(name: string, response: ServerResponse): void {
    const found = join(this.dist, name);
    if (!existsSync(found)) return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": types[extname(found)] }).end(readFileSync(found));
  }

  private begin(body: string, response: ServerResponse): void {
    if (!this.signed) return void response.writeHead(404).end("Not Found");
    const { token, identity } = JSON.parse(body) as Record<string, unknown>;
    this.sessions.push({ token, identity });
    this.tokens += 1;
    send(response, 200, {
      sessionId: "0b7e5a0e-1111-4222-8333-444455556666",
      token: token ?? `token-${this.tokens}`,
      ...this.session,
    });
  }

  private async chat(
    request: IncomingMessage,
    body: string,
    response: ServerResponse,
  ): Promise<void> {
    const question = JSON.parse(body) as { message: string };
    const key = request.headers["idempotency-key"] as string | undefined;
    this.questions.push({
      body: { ...question },
      key,
      contentType: request.headers["content-type"],
    });
    if (this.refused !== null) {
      const { status, body: refusal } = this.refused;
      this.refused = null;
      return send(response, status, refusal);
    }
    // When a question is sent again, its answer continues.
    const parts = this.answers.get(key ?? "") ?? this.parts;
    if (key !== undefined) this.answers.set(key, parts);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const frame = (fields: object): void =>
      void response.write(
        `data: ${JSON.stringify({ uuid: "u", type: "textResponseChunk", sources: [], error: false, ...fields })}\n\n`,
      );
    for (const [index, textResponse] of parts.entries()) {
      frame({ textResponse, close: false });
      if (index > 0) continue;
      if (this.breaks) {
        this.breaks = false;
        return void response.destroy();
      }
      await this.held;
    }
    if (!response.writable) return;
    frame({ textResponse: "", close: true, sources: this.sources });
    this.turns.push({ question: question.message, answer: parts.join("") });
    response.end();
  }
}

function send(response: ServerResponse, status: number, body: object | string): void {
  if (typeof body === "string") return void response.writeHead(status).end(body);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
