import { randomUUID } from "node:crypto";
import { findJsonEnd } from "../prompted-tools/lenient-json.ts";
import type { ProviderMetadata } from "../spec/message.ts";
import type { FinishReason } from "../spec/stream-part.ts";
import type { PartQueue } from "./run-stream.ts";

interface OpenCall {
  id: string;
  /** The vendor's own id, which may be missing or another call's. */
  written: string | null | undefined;
  name: string;
  input: string;
  hasStarted: boolean;
}

/** A piece of a call, as vendors send it. */
export interface CallPiece {
  id?: string | null | undefined;
  name?: string | null | undefined;
  /** A text, or an object from servers that parsed it. */
  input?: unknown;
}

const isWhole = (input: string): boolean => {
  try {
    JSON.parse(input);
    return true;
  } catch {
    return false;
  }
};

const toText = (input: unknown): string =>
  typeof input === "string"
    ? input
    : typeof input === "object" && input !== null
      ? JSON.stringify(input)
      : "";

/** Some servers send the input twice, or `{}` before it; the last value counts. */
function withoutRepeats(input: string): string {
  if (input.trim() === "") return "{}";
  if (isWhole(input)) return input;
  const values: string[] = [];
  for (let at = 0; at < input.length;) {
    const end = findJsonEnd(input, at);
    if (end === -1 || !isWhole(input.slice(at, end))) return input;
    values.push(input.slice(at, end).trim());
    at = end;
  }
  const given = new Set(values.filter((value) => value !== "{}"));
  return given.size > 1 ? input : ([...given][0] ?? "{}");
}

/**
 * Whether a piece begins another call under the same index: some servers number all of them 0.
 * Others repeat the name, or send a new id, with every piece.
 */
function isAnother(call: OpenCall, { id, name, input }: CallPiece): boolean {
  if (!name || call.name === "") return false;
  if (name !== call.name) return true;
  return isWhole(call.input) && (id !== call.written || toText(input) !== call.input);
}

/**
 * The calls of one answer by the vendor's own key for them. Mends what servers get wrong: missing
 * and repeated ids, names that come late, inputs sent twice or as objects, and missing ends.
 */
export class ToolCalls {
  private readonly open = new Map<unknown, OpenCall>();
  private readonly ids = new Set<string>();
  /** Later calls under an index that an earlier one has. */
  private readonly moved = new Map<unknown, unknown>();
  private last: unknown;

  /** How many calls the answer has so far. */
  get count(): number {
    return this.ids.size;
  }

  has(key: unknown): boolean {
    return this.open.has(key);
  }

  /** The key of the piece's call, for protocols in which its index may be missing or wrong. */
  findKey(index: unknown, piece: CallPiece): unknown {
    const own = this.findById(piece.id);
    const isNumbered = index !== undefined && index !== null;
    const key = isNumbered
      ? (this.moved.get(index) ?? index)
      : (own ?? (piece.name ? undefined : this.last));
    const call = this.open.get(key);
    if (call === undefined) return key ?? Symbol("call");
    if (!isAnother(call, piece)) return key;
    const moved = Symbol("call");
    if (isNumbered) this.moved.set(index, moved);
    return moved;
  }

  private findById(id: string | null | undefined): unknown {
    if (id) for (const [key, call] of this.open) if (call.written === id) return key;
    return undefined;
  }

  add(key: unknown, { id, name, input }: CallPiece, parts: PartQueue): void {
    let call = this.open.get(key);
    if (call === undefined) {
      const own = id && !this.ids.has(id) ? id : `call_${randomUUID()}`;
      this.ids.add(own);
      call = { id: own, written: id, name: "", input: "", hasStarted: false };
      this.open.set(key, call);
    }
    this.last = key;
    // Some servers repeat the name with every piece.
    call.name ||= name ?? "";
    const text = toText(input);
    if (call.name !== "") this.start(call, parts);
    if (text === "") return;
    call.input += text;
    if (call.hasStarted) parts.add({ type: "tool-call-delta", id: call.id, text });
  }

  /** Ends a call; `input` replaces what came in pieces. */
  end(
    key: unknown,
    parts: PartQueue,
    { input, metadata }: { input?: unknown; metadata?: ProviderMetadata | undefined } = {},
  ): void {
    const call = this.open.get(key);
    if (call === undefined) return;
    this.open.delete(key);
    this.start(call, parts);
    parts.add({
      type: "tool-call-end",
      id: call.id,
      name: call.name,
      input: withoutRepeats(toText(input) || call.input),
      ...(metadata !== undefined && { metadata }),
    });
  }

  /** Ends all calls whose end never came. */
  endAll(parts: PartQueue): void {
    for (const key of this.open.keys()) this.end(key, parts);
  }

  /**
   * The reason as it must be: some servers say "stop" after calls, or report calls but send none,
   * which would be repeated for ever.
   */
  correct(reason: FinishReason): FinishReason {
    if (this.count > 0 && reason === "stop") return "tool-calls";
    return this.count === 0 && reason === "tool-calls" ? "stop" : reason;
  }

  private start(call: OpenCall, parts: PartQueue): void {
    if (call.hasStarted) return;
    call.hasStarted = true;
    parts.add({ type: "tool-call-start", id: call.id, name: call.name });
    if (call.input !== "") parts.add({ type: "tool-call-delta", id: call.id, text: call.input });
  }
}
