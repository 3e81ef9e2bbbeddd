import type { ReasoningEffort } from "@carrel/contracts";
import type { VendorFault } from "../http/describe-fault.ts";

/** How a vendor's chat completions differ from OpenAI's; by default they don't. */
export interface ChatDialect {
  /** Its name for the longest answer, where it isn't `max_tokens`. */
  maxTokensName?: "max_completion_tokens";
  /** Rejects `stream_options`, and counts tokens without being asked. */
  countsUnasked?: boolean;
  /** Its word for the tool choice `required`. */
  requiredChoice?: "any";
  /** Rejects `parallel_tool_calls`. */
  callsInParallelOnly?: boolean;
  /** Its models must get their reasoning back, as `reasoning_content`, with the calls it led to. */
  returnsReasoning?: boolean;
  /** Converts the id of a tool call to one that it accepts. */
  convertCallId?(id: string): string;
  /** Rejects any temperature but its own for this model. */
  fixesTemperature?(model: string): boolean;
  /** Its fields for the reasoning effort, where it isn't `reasoning_effort`; null: it has none. */
  effortFields?: ((effort: ReasoningEffort) => Record<string, unknown>) | null;
  /** Takes no schema, only a wish for JSON: the schema goes into the system prompt. */
  takesNoSchema?: boolean;
  /** More fields of each request for this model. */
  extend?(model: string): Record<string, unknown>;
  /** Reads the fault that an event, or a reply of status 200, reports in place of an answer. */
  readFault?(reply: object): VendorFault | null;
}
