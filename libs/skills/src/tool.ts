import type { FaultWire, FormQuestion, SourceWire, StepOutput } from "@carrel/contracts";
import type { z } from "zod";

/** A JSON Schema (draft 2020-12) whose root is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a call can do beyond answering.
 *
 * - none: it reads what the person may read anyway, or makes something for them.
 * - fetch: it requests addresses, which may carry data in themselves.
 * - write: it changes something within Carrel's reach.
 * - send: it sends data to others, or changes something there.
 */
export type ToolEffect = "none" | "fetch" | "write" | "send";

/**
 * A tool that a model can call. Its input has been validated when `run` is called; what it returns
 * is data for the model, never instructions.
 */
export interface Tool<Input = unknown> {
  /** The skill's ID, or `mcp:<server>`. */
  skill: string;
  /** Letters, digits, `_` and `-`, at most 64 characters. */
  name: string;
  /** For the model. */
  description: string;
  /** Others wrote the description, and nobody has approved it. */
  hasUnapprovedDescription?: boolean;
  /** A JSON Schema if the tool is declared elsewhere, as by MCP servers. */
  input: z.ZodType<Input> | JsonSchema;
  effect: ToolEffect;
  /** Whether its results may contain text of others: web pages, documents, replies of servers. */
  isUntrusted: boolean;
  /** Whether it can run again if its outcome is unknown: it only reads, or repeating it is harmless. */
  isRepeatable: boolean;
  /**
   * never: it never needs the person's approval (`effect` is none). when-tainted: if the run has
   * read untrusted content. always: unless the person or an admin has said otherwise.
   */
  approval: "never" | "when-tainted" | "always";
  /** How long a call may take, not counting the time it waits for a person; default: 5 minutes. */
  timeoutMs?: number;
  /** What a call is about, in a few words, for its line in the answer. */
  object?(input: Input): string | null;
  /** The addresses that a call would request. Required if `effect` is fetch. */
  addresses?(input: Input): string[];
  /**
   * Where the data goes and everything that would be sent or changed, for an approval. Default: no
   * destination, and each field of the input.
   */
  describe?(input: Input): { destination: string | null; details: ApprovalDetail[] };
  /** Throws ToolError for what the model or the person can do something about. */
  run(input: Input, call: ToolCall): Promise<ToolResult>;
}

export interface ApprovalDetail {
  label: string;
  value: string;
}

/** One call, as the tool sees it. */
export interface ToolCall {
  /** Aborted if the person stops the run or the time is up. */
  signal: AbortSignal;
  /** Same for each attempt at this call: for servers that recognise repeated requests. */
  key: string;
  /** Tells the person how far it is. */
  progress(done: number, total: number): void;
  /** Tells the person what it is doing, in a few words. */
  note?(text: string): void;
  /** Asks the person; null for each question that was skipped, or if nobody answered in time. */
  ask(questions: FormQuestion[]): Promise<(string | string[] | null)[]>;
  /**
   * Whether the owner of an unattended run has approved this part of the call in advance; false if a
   * person can be asked. Throws if they haven't, which ends the call as denied.
   */
  isApproved?(part: { destination: string; details: ApprovalDetail[] }): Promise<boolean>;
  /** Number of the first source that the call adds, so that its text can refer to them: [3]. */
  nextSource: number;
}

export interface ToolResult {
  /** For the model. It may be long: the caller shows it in pages. */
  text: string;
  outputs?: StepOutput[];
  /** What the text is based on: documents and web pages, in the order of their numbers. */
  sources?: SourceWire[];
  /** The answer is this text as it is, and the run ends. */
  isFinal?: true;
  /** Addresses found, such as a search's results, which may then be fetched without an approval. */
  addresses?: string[];
}

/** What went wrong with a call; the model reads the text and may correct its input. */
export class ToolError extends Error {
  override readonly name = "ToolError";

  /** @param fault the same for the person; default: the message */
  constructor(
    message: string,
    readonly fault: FaultWire | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Keeps the files that tools make. */
export interface FileKeeper {
  /** Returns what the answer shows. */
  keep(file: { name: string; mime: string; bytes: Uint8Array }): Promise<StepOutput>;
}

/** Asks the model of the run, for tools that summarise or extract; counted as part of the run. */
export interface ModelPort {
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  /** Returns the text without reasoning. */
  ask(o: { system: string; text: string; maxTokens: number; signal: AbortSignal }): Promise<string>;
}
