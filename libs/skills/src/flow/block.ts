import {
  clipText,
  flowLimits,
  renderFault,
  type FaultWire,
  type FlowStep,
  type KnownFault,
} from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import type { DocumentSearchPort } from "../rag-memory/search-documents.ts";
import { toolFault } from "../tool-fault.ts";
import { ToolError, type ModelPort } from "../tool.ts";
import type { BlockFlow } from "./block-flow.ts";
import type { EventLoopTurns } from "./event-loop-turns.ts";
import type { FlowSecrets } from "./flow-secrets.ts";
import type { SourceNumbers } from "./source-numbers.ts";
import { showValue, type Variables } from "./substitute.ts";

/** What a block reaches outside of its flow. */
interface BlockPorts {
  content: ContentClient;
  /** Null: there is none. */
  model: ModelPort | null;
  /** Null outside of workspaces. */
  search: DocumentSearchPort | null;
  /** Of this run. */
  secrets: FlowSecrets;
  /** Without it, results of searches have no numbers, and instructions cite nothing. */
  sources?: SourceNumbers | undefined;
  /** Whether a request may be made, just before it is. */
  admit(request: FlowRequest): Promise<boolean>;
}

/** What a flow reaches outside of itself. */
export interface FlowPorts extends Omit<BlockPorts, "admit"> {
  /** Whether a person agrees; false also if nobody answers. */
  approve(question: string, details: string, block: BlockPlace): Promise<boolean>;
  admit(request: FlowRequest, block: BlockPlace): Promise<boolean>;
  /** Another flow; null if there is none that may be run. */
  findFlow(id: string): Promise<{ name: string; steps: readonly FlowStep[] } | null>;
}

export interface FlowRequest {
  /** Of the block. */
  title: string;
  method: string;
  url: URL;
  /** Credentials in it are as they are written. */
  body: string | null;
}

/** What a person is asked before a request to an origin that wasn't known before. */
export const admissionQuestion = (
  flow: string,
  { title, method, url }: Pick<FlowRequest, "title" | "method" | "url">,
): string =>
  `${title} in the flow ${flow} wants to send a ${method} request to ${url.host}, an address that wasn't known before. Allow it?`;

/** A block in a run. */
export interface BlockPlace {
  /** The same in each attempt: its number, then where it is in the block that holds it. */
  path: string;
  step: FlowStep;
}

/** What a block works with. */
export interface BlockContext {
  title: string;
  flow: BlockFlow;
  variables: Variables;
  ports: BlockPorts;
  turns: EventLoopTurns;
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

export const tooLarge = (block: string, limit: number = flowLimits.variables): ToolError =>
  toolFault({
    code: "flow.variables-too-large",
    params: { block, megabytes: limit / 1_000_000 },
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

export const faultOf = (step: FlowStep, error: ToolError): FaultWire =>
  error.fault ?? {
    code: "flow.block-failed",
    params: { block: titleOf(step), reason: error.message },
  };

/** The error with the title of its block, unless it names one. */
export function nameBlock(block: string, error: ToolError): ToolError {
  const { fault } = error;
  if (fault !== null && /^flow\./.test(fault.code) && fault.code !== "flow.not-found") return error;
  const named = {
    code: "flow.block-failed",
    params: { block, reason: fault ?? error.message },
  } as const;
  // The model reads what its own code did, too.
  return new ToolError(
    fault === null ? renderFault(named) : `${block} failed: ${error.message}`,
    named,
    {
      cause: error,
    },
  );
}
/** As people read it: credentials in its path are shown as they are written. */
export const showUrl = ({ href }: URL): string =>
  href.replace(/%7B%7B(credential\.[\w-]+)%7D%7D/gi, "{{$1}}");
