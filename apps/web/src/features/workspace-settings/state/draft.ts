import { useState } from "react";
import { faultOf, fieldNames, type Fault, type FieldName, type Values } from "./workspace-form.ts";

export interface Draft {
  /** Saved values with what was typed over them. */
  values: Values;
  /** Names of the fields that differ from what is saved. */
  changed: FieldName[];
  faults: Partial<Record<FieldName, Fault>>;
  set: (change: Partial<Values>) => void;
  discard: () => void;
  /** What was sent is saved; what was typed since then stays. */
  settle: (sent: Values) => void;
}

/**
 * What was typed and not saved yet. What somebody else saves meanwhile shows in the fields that
 * were not touched.
 */
export function useDraft(saved: Values): Draft {
  const [typed, setTyped] = useState<Partial<Values>>({});
  const values = { ...saved, ...typed };
  const changed = fieldNames.filter((name) => values[name] !== saved[name]);
  const faults: Draft["faults"] = {};
  for (const name of changed) {
    const fault = faultOf(name, values[name]);
    if (fault) faults[name] = fault;
  }
  return {
    values,
    changed,
    faults,
    set: (change) => setTyped((before) => ({ ...before, ...change })),
    discard: () => setTyped({}),
    settle: (sent) =>
      setTyped((before) =>
        Object.fromEntries(
          Object.entries(before).filter(([name, value]) => value !== sent[name as FieldName]),
        ),
      ),
  };
}
