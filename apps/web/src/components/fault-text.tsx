import type { ReasonWire } from "@carrel/contracts";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadFaultTexts, translateFault } from "../lib/fault.ts";

/** A fault or notice in the user's language. */
export const FaultText = (props: { fault: ReasonWire | null; fallback: string }) =>
  useFaultText(props.fault, props.fallback);

/**
 * A fault or notice in the user's language, or `fallback` if only a newer server knows it; empty
 * until the texts are loaded. Plain text, stored before faults had codes, is returned unchanged.
 */
export function useFaultText(fault: ReasonWire | null, fallback: string): string {
  // Renders again when the language changes.
  useTranslation();
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (typeof fault === "object" && fault !== null)
      void loadFaultTexts().then(() => setLoaded(true));
  }, [fault]);
  if (fault === null) return fallback;
  if (typeof fault === "string") return fault;
  return translateFault(fault) ?? (isLoaded ? fallback : "");
}
