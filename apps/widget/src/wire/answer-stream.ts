import { readJson, refusalText, type Source } from "./embed-api.ts";

/** A part of an answer. */
export type AnswerEvent =
  | { kind: "text"; text: string }
  | { kind: "thoughts"; text: string }
  /** All text so far was reasoning. */
  | { kind: "were-thoughts" }
  /** Replaces the text so far. */
  | { kind: "whole"; text: string }
  | { kind: "end"; sources: Source[] }
  | { kind: "refused"; text: string | null; status: number };

/** The connection ended before the answer did. */
export class BrokenStream extends Error {}

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
export async function readAnswer(
  reply: Response,
  onEvent: (event: AnswerEvent) => void,
): Promise<void> {
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
