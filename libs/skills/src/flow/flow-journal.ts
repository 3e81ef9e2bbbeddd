import type { FlowStep, FlowStepRun } from "@carrel/contracts";
import type { ToolError } from "../tool.ts";
import type { BlockPlace } from "./block.ts";

/** What an earlier attempt has recorded of a block. */
export type RecordedBlock =
  | { state: "done"; value: unknown }
  /** It had begun to send something that can't be sent twice. */
  | { state: "sent" };

export interface EndedBlock extends Omit<FlowStepRun, "state" | "result"> {
  path: string;
  state: "done" | "failed" | "denied" | "unknown";
  /** Undefined if it failed, or holds other blocks. */
  value: unknown;
  /** Its result's start. */
  result: string;
}

/**
 * Makes a run durable: a later attempt that is given what was recorded continues at the block that
 * was due, because conditions, loops and flows in flows come to the same with the same results.
 * What these reject with ends the run, and isn't recorded.
 */
export interface FlowJournal {
  /** By path. */
  recorded: ReadonlyMap<string, RecordedBlock>;
  /** Before a block that may take a while. */
  begin(block: BlockPlace): Promise<void>;
  /** Just before something is sent that can't be sent twice. */
  send(block: BlockPlace): Promise<void>;
  end(block: EndedBlock): Promise<void>;
}

/** Whether a block of this type does something itself, rather than run others or nothing. */
export const isRecorded = ({ type }: FlowStep): boolean =>
  type !== "start" &&
  type !== "carrel-condition" &&
  type !== "carrel-loop" &&
  type !== "carrel-flow";

/** Whether it may be run again although it has begun. */
export const isRepeatableBlock = (step: FlowStep): boolean =>
  step.type !== "apiCall" || step.config.method === "GET";

const endStates: Partial<Record<string, EndedBlock["state"]>> = {
  "flow.denied": "denied",
  "flow.request-not-approved": "denied",
  "flow.approval-missing": "denied",
  "flow.outcome-unknown": "unknown",
};

/** How a block ends that fails with this error. */
export const blockStateOf = ({ fault }: ToolError): EndedBlock["state"] =>
  endStates[fault?.code ?? ""] ?? "failed";

/** The same of its run. */
export const runStateOf = (error: ToolError): "denied" | "failed" =>
  blockStateOf(error) === "denied" ? "denied" : "failed";
