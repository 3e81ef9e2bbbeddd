import type { ReasonWire } from "@carrel/contracts";
import { useFaultText } from "../lib/use-fault-text.ts";

/** A fault or notice in the user's language. */
export const FaultText = (props: { fault: ReasonWire | null; fallback: string }) =>
  useFaultText(props.fault, props.fallback);
