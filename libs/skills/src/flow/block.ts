import { clipText, flowLimits, type FlowStep, type KnownFault } from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import type { DocumentSearchPort } from "../rag-memory/search-documents.ts";
import { toolFault } from "../tool-fault.ts";
import type { ModelPort, ToolError } from "../tool.ts";
import { showValue, type Variables } from "./substitute.ts";

/** What a flow reaches outside of itself. */
export interface FlowPorts {
  content: ContentClient;
  /** Null: there is none. */
  model: ModelPort | null;
  /** Null outside of workspaces. */
  search: DocumentSearchPort | null;
  /** Whether a person agrees; false also if nobody answers. */
  approve(question: string, details: string): Promise<boolean>;
  /** Whether a request may be made, just before it is. */
  admit(request: FlowRequest): Promise<boolean>;
  /** Another flow; null if there is none that may be run. */
  findFlow(id: string): Promise<{ name: string; steps: readonly FlowStep[] } | null>;
}

export interface FlowRequest {
  /** Of the block. */
  title: string;
  method: string;
  url: URL;
}

/** What a block works with. */
export interface BlockContext {
  title: string;
  variables: Variables;
  ports: FlowPorts;
  signal: AbortSignal;
}

const names: Record<FlowStep["type"], string> = {
  start: "Start",
  apiCall: "API call",
  llmInstruction: "LLM instruction",
  webScraping: "Web scraping",
  "carrel-condition": "Condition",
  "carrel-loop": "Loop",
  "carrel-search": "Search",
  "carrel-code": "Code",
  "carrel-transform": "Transform",
  "carrel-approval": "Approval",
  "carrel-flow": "Flow",
};

/** What people call a block. */
export const titleOf = (step: FlowStep): string => step.title?.trim() || names[step.type];

/** What went wrong in a block. */
export const blockFault = (
  block: string,
  reason: string | { code: string },
  cause?: unknown,
): ToolError => toolFault({ code: "flow.block-failed", params: { block, reason } }, "", cause);

/** Somebody didn't agree, which ends the flow. */
export const deniedFault = (block: string): KnownFault => ({
  code: "flow.denied",
  params: { block },
});

/** The UTF-16 units of a value. Throws ToolError if it is larger than all variables may be. */
export function measure(title: string, value: unknown): number {
  const size = showValue(value).length;
  if (size > flowLimits.variables) throw tooLarge(title);
  return size;
}

export const tooLarge = (block: string): ToolError =>
  toolFault({
    code: "flow.variables-too-large",
    params: { block, megabytes: flowLimits.variables / 1_000_000 },
  });

/** An address that a block requests. Throws ToolError. */
export function readUrl(title: string, text: string): URL {
  const url = URL.parse(text.trim());
  // A variable that doesn't exist is left as it was written.
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && !/[${}]/.test(url.host);
  if (!isUsable)
    throw toolFault({
      code: "flow.address-invalid",
      params: { block: title, address: text.trim() === "" ? "nothing" : clipText(text, 200) },
    });
  url.hash = "";
  return url;
}
