import { keep, recall } from "../wire/browser-storage.ts";
import {
  Refusal,
  randomId,
  type EmbedApi,
  type Session,
  readJson,
  refusalText,
  type Source,
} from "../wire/embed-api.ts";
import { fromHistory, newMessage, type Message } from "./message.ts";

/** A question whose answer was still being written when the visitor left the page. */
interface Unfinished {
  sessionId: string;
  question: string;
  /** Identifies the answer to return to (`EmbedApi.ask`). */
  key: string;
  /** The answer so far. */
  text: string;
  /** Number of messages before the question. */
  before: number;
}

/** Belongs to the tab, since another tab would continue the same answer twice. */
class UnfinishedAnswer {
  private readonly name: string;

  constructor(embedId: string) {
    this.name = `carrel_${embedId}_unfinished`;
  }

  read(): Unfinished | null {
    try {
      return JSON.parse(recall(this.name, "sessionStorage") ?? "null") as Unfinished | null;
    } catch {
      return null;
    }
  }

  write(unfinished: Unfinished | null): void {
    keep(this.name, unfinished === null ? null : JSON.stringify(unfinished), "sessionStorage");
  }
}

export interface ConversationState {
  /** `new`: nothing has been requested yet. */
  phase: "new" | "loading" | "ready" | "failed";
  /** Why it failed, if the server said so. */
  refusal: string | null;
  session: Session | null;
  messages: Message[];
  isWriting: boolean;
  /** The messages could not be deleted. */
  isClearFailed: boolean;
}

/** Attempts to return to an answer after its connection broke. */
const reconnectPauses = [500, 2_000, 5_000, 10_000];

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });

/** The session's token is no longer valid; servers without tokens refuse for other reasons. */
const isExpired = ({ token }: Session, status: number): boolean =>
  token !== null && (status === 401 || status === 404);

/** The parts of the API that a conversation needs. */
export type Server = Pick<EmbedApi, "begin" | "history" | "ask" | "stop" | "clear">;

/** The visitor's messages and the answers, independent of the view. */
export class Conversation {
  state: ConversationState = {
    phase: "new",
    refusal: null,
    session: null,
    messages: [],
    isWriting: false,
    isClearFailed: false,
  };
  private readonly listeners = new Set<() => void>();
  private readonly unfinished: UnfinishedAnswer;
  private current: { abort: AbortController; record: Unfinished } | null = null;
  private loading: Promise<void> | null = null;
  /** The page is being left, which breaks connections. */
  private isLeaving = false;

  constructor(
    private readonly api: Server,
    embedId: string,
  ) {
    this.unfinished = new UnfinishedAnswer(embedId);
    addEventListener("pagehide", () => {
      this.isLeaving = true;
      if (this.current !== null) this.unfinished.write(this.current.record);
    });
    addEventListener("pageshow", () => {
      this.isLeaving = false;
    });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resumes the session with its messages, and the answer that a page change interrupted. */
  load(): Promise<void> {
    this.loading ??= this.resume().finally(() => {
      if (this.state.phase === "failed") this.loading = null;
    });
    return this.loading;
  }

  private async resume(): Promise<void> {
    this.set({ phase: "loading", refusal: null });
    try {
      const session = await this.api.begin();
      const messages = (await this.api.history(session)).map(fromHistory);
      this.set({ phase: "ready", session, messages });
      const record = this.unfinished.read();
      if (record !== null) this.continue(session, record);
    } catch (error) {
      this.set({ phase: "failed", refusal: error instanceof Refusal ? error.text : null });
    }
  }

  private continue(session: Session, record: Unfinished): void {
    const { messages } = this.state;
    const isAnswered = messages
      .slice(record.before)
      .some(({ role, text }) => role === "user" && text.trim() === record.question.trim());
    if (record.sessionId !== session.id || isAnswered) return this.unfinished.write(null);
    const answer = newMessage("assistant", record.text, "writing");
    this.set({ messages: [...messages, newMessage("user", record.question), answer] });
    if (session.token !== null) return void this.follow(session, answer, record);
    this.unfinished.write(null);
    this.change(answer.id, { state: "failed", fault: { kind: "interrupted", text: null } });
  }

  async send(text: string): Promise<void> {
    const question = text.trim();
    if (question === "") return;
    await this.load();
    const { session, messages, isWriting } = this.state;
    if (session === null || isWriting) return;
    const answer = newMessage("assistant", "", "writing");
    this.set({
      messages: [...messages, newMessage("user", question), answer],
      isClearFailed: false,
    });
    await this.follow(session, answer, {
      sessionId: session.id,
      question,
      key: randomId(),
      text: "",
      before: messages.length,
    });
  }

  /** Asks the last question again, replacing its failed answer. */
  async retry(): Promise<void> {
    const { messages, session } = this.state;
    const [question, answer] = messages.slice(-2);
    if (session === null || question?.role !== "user" || answer?.state !== "failed") return;
    this.set({ messages: messages.slice(0, -2) });
    await this.send(question.text);
  }

  stop(): void {
    const { session } = this.state;
    if (this.current === null || session === null) return;
    this.current.abort.abort();
    // For the visitor it has stopped; the server ends an answer without a reader by itself.
    void this.api.stop(session).catch(() => undefined);
  }

  /** Deletes the messages, on the server too. */
  async clear(): Promise<void> {
    const { session } = this.state;
    if (session === null) return;
    this.stop();
    try {
      await this.api.clear(session);
      this.unfinished.write(null);
      this.set({ messages: [], isClearFailed: false });
    } catch {
      this.set({ isClearFailed: true });
    }
  }

  private async follow(session: Session, answer: Message, record: Unfinished): Promise<void> {
    const abort = new AbortController();
    this.current = { abort, record };
    this.unfinished.write(record);
    this.set({ isWriting: true });
    try {
      let end = await this.readToEnd(session, answer.id, record, abort.signal);
      if (end.fault?.kind === "expired") {
        const renewed = await this.api.begin();
        this.set({ session: renewed });
        record.sessionId = renewed.id;
        end = await this.readToEnd(renewed, answer.id, record, abort.signal);
      }
      this.change(answer.id, abort.signal.aborted ? { state: "stopped" } : end);
    } catch {
      this.change(answer.id, { state: "failed", fault: { kind: "failed", text: null } });
    } finally {
      this.current = null;
      if (!this.isLeaving) this.unfinished.write(null);
      this.set({ isWriting: false });
    }
  }

  private async readToEnd(
    session: Session,
    id: string,
    record: Unfinished,
    signal: AbortSignal,
  ): Promise<Partial<Message>> {
    let hasReply = record.text !== "";
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.read(session, id, record, signal, () => {
          hasReply = true;
        });
      } catch (error) {
        if (signal.aborted) return {};
        const mayReturn =
          session.token !== null && (error instanceof BrokenStream || error instanceof TypeError);
        const wait = reconnectPauses[attempt];
        if (!mayReturn || !hasReply || wait === undefined)
          return {
            state: "failed",
            fault: { kind: hasReply ? "interrupted" : "failed", text: null },
          };
        await pause(wait, signal);
        if (signal.aborted) return {};
      }
    }
  }

  private async read(
    session: Session,
    id: string,
    record: Unfinished,
    signal: AbortSignal,
    onReply: () => void,
  ): Promise<Partial<Message>> {
    const reply = await this.api.ask(session, record.question, record.key, signal);
    onReply();
    let end: Partial<Message> = {};
    // The answer is sent again from its beginning.
    let [text, thoughts] = ["", ""];
    await readAnswer(reply, (event: AnswerEvent) => {
      if (event.kind === "end") end = { state: "done", sources: event.sources };
      else if (event.kind === "refused" && isExpired(session, event.status))
        end = { state: "failed", fault: { kind: "expired", text: event.text } };
      else if (event.kind === "refused")
        end = {
          state: "failed",
          fault: {
            kind: event.status < 500 && event.text !== null ? "refused" : "failed",
            text: event.text,
          },
        };
      else if (event.kind === "thoughts" || event.kind === "were-thoughts") {
        if (event.kind === "thoughts") thoughts += event.text;
        else [thoughts, text, record.text] = [text, "", ""];
        this.change(id, event.kind === "thoughts" ? { thoughts } : { thoughts, text });
      } else {
        text = event.kind === "whole" ? event.text : text + event.text;
        // Returning to an answer, show the text so far until it is reached again.
        if (event.kind === "whole" || text.length >= record.text.length) {
          record.text = text;
          this.change(id, { text });
        }
      }
    });
    return end;
  }

  private change(id: string, change: Partial<Message>): void {
    const messages = this.state.messages.map((each) =>
      each.id === id ? { ...each, ...change } : each,
    );
    this.set({ messages });
  }

  private set(change: Partial<ConversationState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** A part of an answer. */
type AnswerEvent =
  | { kind: "text"; text: string }
  | { kind: "thoughts"; text: string }
  /** All text so far was reasoning. */
  | { kind: "were-thoughts" }
  /** Replaces the text so far. */
  | { kind: "whole"; text: string }
  | { kind: "end"; sources: Source[] }
  | { kind: "refused"; text: string | null; status: number };

/** The connection ended before the answer did. */
class BrokenStream extends Error {}

function eventsOf(data: unknown, status: number): AnswerEvent[] {
  const { type, textResponse, thoughts, wereThoughts, close, sources, error } = (data ??
    {}) as Record<string, unknown>;
  if (type === "abort" || status >= 400 || (typeof error === "string" && error !== ""))
    return [{ kind: "refused", text: refusalText(data), status }];
  const events: AnswerEvent[] = [];
  if (wereThoughts === true) events.push({ kind: "were-thoughts" });
  if (typeof thoughts === "string") events.push({ kind: "thoughts", text: thoughts });
  const text = typeof textResponse === "string" ? textResponse : "";
  if (type === "textResponse") events.push({ kind: "whole", text });
  else if (type === "textResponseChunk") events.push({ kind: "text", text });
  else return [];
  if (close === true || type === "textResponse")
    events.push({ kind: "end", sources: Array.isArray(sources) ? (sources as Source[]) : [] });
  return events;
}

/**
 * The data of each event; eventsource-parser, which the app uses, would be a tenth of the script.
 */
async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return; // an event without its empty line was cut off
      rest += decoder.decode(value, { stream: true });
      const events = rest.split(/\r\n\r\n|\n\n|\r\r/);
      rest = events.pop()!;
      for (const event of events) {
        const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
        if (lines.length > 0) yield lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads the reply to a question up to its end or its refusal. */
async function readAnswer(reply: Response, onEvent: (event: AnswerEvent) => void): Promise<void> {
  if (!reply.ok || reply.body === null) {
    for (const event of eventsOf(await readJson(reply), reply.status)) onEvent(event);
    return;
  }
  let isOver = false;
  for await (const data of eventData(reply.body)) {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      continue; // not an event of ours, such as a proxy's
    }
    for (const event of eventsOf(value, 200)) {
      onEvent(event);
      isOver ||= event.kind === "end" || event.kind === "refused";
    }
    if (isOver) return;
  }
  throw new BrokenStream();
}
