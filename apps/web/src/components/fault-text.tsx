import type { FaultWire } from "@carrel/contracts";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadFaultTexts, translateFault } from "../lib/fault.ts";

/**
 * A fault or notice in the user's language, and `fallback` for one that only a newer server knows.
 * Text is shown as it is: it was stored before faults had codes.
 */
export function FaultText({ fault, fallback }: { fault: FaultWire | string; fallback: string }) {
  // Renders again when the language changes.
  useTranslation();
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (typeof fault !== "string") void loadFaultTexts().then(() => setLoaded(true));
  }, [fault]);
  if (typeof fault === "string") return fault;
  return translateFault(fault) ?? (isLoaded ? fallback : null);
}
