import type { FaultWire } from "@carrel/contracts";
import { z } from "zod";

const nativeState = z.object({
  state: z.enum(["ready", "missing", "downloading", "off"]),
  fault: z
    .custom<FaultWire>((fault) => typeof (fault as FaultWire | undefined)?.code === "string")
    .nullable(),
  progress: z.number().nullable(),
});
export type NativeState = z.infer<typeof nativeState>;
/** The state of the built-in embedding model, if the instance reports it. */
export const readNativeState = (results: Record<string, unknown>): NativeState | null =>
  nativeState.safeParse(results.NativeEmbedder).data ?? null;
