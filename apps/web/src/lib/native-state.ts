import type { FaultWire } from "@carrel/contracts";

export interface NativeState {
  state: "ready" | "missing" | "downloading" | "off";
  fault: FaultWire | null;
  /** 0 to 1 while the model is downloaded. */
  progress: number | null;
}

/** The state of the built-in embedding model, if the instance reports it. */
export const readNativeState = (results: Record<string, unknown>): NativeState | null =>
  (results.NativeEmbedder as NativeState | undefined) ?? null;
