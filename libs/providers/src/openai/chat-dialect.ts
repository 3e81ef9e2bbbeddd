import type { ReasoningEffort } from "@carrel/contracts";
import type { VendorFault } from "../http/describe-fault.ts";

/** How a vendor's chat completions differ from OpenAI's; by default they don't. */
export interface ChatDialect {
  /** Its name for the answer's maximum length, if it isn't `max_tokens`. */
  maxTokensName?: "max_completion_tokens";
  /** Rejects `stream_options` and always counts tokens. */
  countsUnasked?: boolean;
  /** Its word for the tool choice `required`. */
  requiredChoice?: "any";
  /** Rejects `parallel_tool_calls`. */
  callsInParallelOnly?: boolean;
  /**
   * Its models need their reasoning back, as `reasoning_content`, together with the resulting
   * calls.
   */
  returnsReasoning?: boolean;
  /** Converts the id of a tool call to one that it accepts. */
  convertCallId?(id: string): string;
  /** Rejects any temperature but its default for this model. */
  fixesTemperature?(model: string): boolean;
  /** Its fields for the reasoning effort, if it isn't `reasoning_effort`; null: it has none. */
  effortFields?: ((effort: ReasoningEffort) => Record<string, unknown>) | null;
  /** Accepts no schema, only a request for JSON: the schema goes into the system prompt. */
  takesNoSchema?: boolean;
  /** Additional fields in each request for this model. */
  extend?(model: string): Record<string, unknown>;
  /** Reads the fault that an event, or a reply with status 200, reports instead of an answer. */
  readFault?(reply: object): VendorFault | null;
}
