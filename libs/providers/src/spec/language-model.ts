import type { ReasoningEffort } from "@carrel/contracts";
import type { ModelMessage } from "./message.ts";
import type { StreamPart } from "./stream-part.ts";

export interface LanguageModelCall {
  system: string;
  messages: ModelMessage[];
  /** null: the vendor's default (some models reject any other). */
  temperature: number | null;
  /**
   * Maximum tokens of the answer; without it the provider's setting or the vendor's default
   * applies.
   */
  maxTokens?: number;
  /** Default: the vendor's. Left out for models that reject it. */
  topP?: number | null;
  /** How long to think, for models where that can be set; default: the vendor's. */
  effort?: ReasoningEffort | null;
  tools?: readonly ToolDefinition[];
  /** Default: auto. */
  toolChoice?: ToolChoice;
  /** false: at most one tool call per answer, if the vendor supports that setting. */
  parallelToolCalls?: boolean;
  output?: OutputFormat;
  signal: AbortSignal;
  /**
   * Parts after the first come in batches, about this often in ms, with the text of each batch
   * joined; by default as they arrive.
   */
  paceMs?: number;
  /**
   * Called while the model is busy with other answers: how many are ahead, whenever that changes; 0
   * when it begins. Only models of this instance have a queue.
   */
  onQueue?(ahead: number): void;
}

/** What requests to a model may set. */
export interface ModelParameters {
  temperature: boolean;
  topP: boolean;
  effort: boolean;
}

/**
 * A model that generates text. `stream` only throws ProviderError, before the first part or midway.
 */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  /** Tokens of prompt and answer together; `prepare` may correct it. */
  readonly contextWindow: number;
  /**
   * Tokens of the window reserved for the answer, because requests ask for that many; null if none
   * are reserved.
   */
  readonly answerTokens: number | null;
  /** Other parameters are left out of its requests. */
  readonly parameters: ModelParameters;
  /**
   * Asks the server for limits that nobody set, unless they are known. Call it before planning a
   * prompt; without it, defaults apply. Never throws.
   */
  prepare?(signal: AbortSignal): Promise<void>;
  /** Whether it accepts images; null if only a request can tell. Never throws. */
  supportsImages(signal: AbortSignal): Promise<boolean | null>;
  /** Whether it can call tools; null if only a request can tell. Never throws. */
  supportsTools(signal: AbortSignal): Promise<boolean | null>;
  stream(call: LanguageModelCall): AsyncIterable<StreamPart>;
}

/** One entry in a provider's model list (wire-contract.md 11.1). */
export interface ListedModel {
  id: string;
  name?: string;
  organization?: string;
  contextWindow?: number;
  /** Who specified the window, if an empty field leaves it to them; missing: nobody. */
  windowSource?: "server" | "catalogue";
  /** Set for Gemini's models. */
  experimental?: boolean;
  /** Set for Together's models (specification 2). */
  type?: string;
  /** The context window, as existing clients call it for Together and APIpie. */
  maxLength?: number;
  /** Set for the native embedder's models. */
  description?: string;
  lang?: string;
  size?: string;
  modelCard?: string;
}

/** A JSON Schema (draft 2020-12) whose root is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool the model may call; Carrel runs it, not the vendor. */
export interface ToolDefinition {
  /** Letters, digits, `_` and `-`, at most 64 characters, which every vendor accepts. */
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/**
 * auto: the model decides; required: it must call a tool; `{ tool }`: it must call this one. Ollama
 * can't be forced: there, `required` means `auto`, and `{ tool }` offers only that tool.
 */
export type ToolChoice = "auto" | "none" | "required" | { tool: string };

/**
 * Restricts the answer to JSON of this schema. Vendors agree on schemas in which every property is
 * required and `additionalProperties` is false.
 */
export interface OutputFormat {
  /** Letters, digits, `_` and `-`, at most 64 characters. */
  name: string;
  schema: JsonSchema;
}
