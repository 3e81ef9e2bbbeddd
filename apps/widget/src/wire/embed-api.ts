import type { Config } from "../config/read-config.ts";
import { keep, recall } from "./browser-storage.ts";

export interface Source {
  title?: string;
  /** Text of the passage. */
  text?: string;
  url?: string | null;
  /** Number of its citation mark in the answer. */
  number?: number;
}

/** A conversation of this visitor. */
export interface Session {
  id: string;
  /** Proves that it belongs to this visitor; null on servers without signed sessions. */
  token: string | null;
  suggestedMessages: string[];
  greeting: string | null;
  /** In characters; null: not limited. */
  maxMessageLength: number | null;
}

export interface HistoryItem {
  role: "user" | "assistant";
  content: string;
  thoughts?: string;
  sources?: Source[];
}

/** The server refused, with a text for the visitor if it sent one. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly text: string | null,
  ) {
    super(text ?? `Status ${status}`);
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Also works on pages without HTTPS, where `crypto.randomUUID` is missing. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The text of a refusal, which the owner of the widget may have written. */
export function refusalText(body: unknown): string | null {
  const { errorMsg, error } = (body ?? {}) as { errorMsg?: unknown; error?: unknown };
  const text = [errorMsg, error].find((each) => typeof each === "string" && each !== "");
  return (text as string | undefined) ?? null;
}

export async function readJson(reply: Response): Promise<unknown> {
  try {
    return (await reply.json()) as unknown;
  } catch {
    return null;
  }
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

/** The public routes of a widget (wire-contract 8.2). */
export class EmbedApi {
  private readonly sessionKey: string;
  private readonly tokenKey: string;

  /** `language` is the widget's. */
  constructor(
    private readonly config: Config,
    private readonly language: string,
  ) {
    this.sessionKey = `allm_${config.embedId}_session_id`;
    this.tokenKey = `carrel_${config.embedId}_token`;
  }

  /** Resumes this browser's session or starts one. */
  async begin(): Promise<Session> {
    const reply = await fetch(this.url("session"), {
      method: "POST",
      body: JSON.stringify({ token: recall(this.tokenKey), identity: this.config.identity }),
      credentials: "omit",
    });
    // AnythingLLM has no such route: there, the client makes the session's id.
    if (reply.status === 404) return this.beginUnsigned();
    const body = await readJson(reply);
    const { sessionId, token, suggestedMessages, greeting, maxMessageLength } = (body ??
      {}) as Record<string, unknown>;
    if (!reply.ok || typeof sessionId !== "string" || typeof token !== "string")
      throw new Refusal(reply.status, refusalText(body));
    keep(this.sessionKey, sessionId);
    keep(this.tokenKey, token);
    return {
      id: sessionId,
      token,
      suggestedMessages: strings(suggestedMessages),
      greeting: typeof greeting === "string" && greeting !== "" ? greeting : null,
      maxMessageLength: typeof maxMessageLength === "number" ? maxMessageLength : null,
    };
  }

  private beginUnsigned(): Session {
    const stored = recall(this.sessionKey);
    const id = stored !== null && uuid.test(stored) ? stored : randomId();
    keep(this.sessionKey, id);
    return { id, token: null, suggestedMessages: [], greeting: null, maxMessageLength: null };
  }

  async history(session: Session): Promise<HistoryItem[]> {
    const path = this.config.showThoughts ? `${session.id}?showThoughts=true` : session.id;
    const reply = await fetch(this.url(path), {
      headers: this.visitor(session),
      credentials: "omit",
    });
    const body = await readJson(reply);
    if (!reply.ok) throw new Refusal(reply.status, refusalText(body));
    const { history } = (body ?? {}) as { history?: HistoryItem[] };
    return (history ?? []).filter(({ content }) => typeof content === "string");
  }

  async clear(session: Session): Promise<void> {
    const reply = await fetch(this.url(session.id), {
      method: "DELETE",
      headers: this.visitor(session),
      credentials: "omit",
    });
    if (!reply.ok) throw new Refusal(reply.status, refusalText(await readJson(reply)));
  }

  /** With the same key, a question is asked only once: asking again returns to its answer. */
  ask(session: Session, message: string, key: string, signal: AbortSignal): Promise<Response> {
    const { username, prompt, model, temperature, showThoughts } = this.config;
    return fetch(this.url("stream-chat"), {
      method: "POST",
      // As text: without a token, the browser needs no preflight.
      body: JSON.stringify({
        message,
        sessionId: session.id,
        username,
        prompt,
        model,
        temperature,
        language: this.language,
        ...(session.token !== null && showThoughts && { showThoughts }),
      }),
      headers: {
        ...this.visitor(session),
        ...(session.token === null ? {} : { "Idempotency-Key": key }),
      },
      credentials: "omit",
      signal,
    });
  }

  /** Servers without signed sessions stop when the connection closes. */
  async stop(session: Session): Promise<void> {
    if (session.token === null) return;
    await fetch(this.url(`${session.id}/stop`), {
      method: "POST",
      headers: this.visitor(session),
      credentials: "omit",
      keepalive: true,
    });
  }

  private url(path: string): string {
    return `${this.config.baseApiUrl}/${encodeURIComponent(this.config.embedId)}/${path}`;
  }

  private visitor({ token }: Session): Record<string, string> {
    return token === null ? {} : { "Carrel-Visitor": token };
  }
}
