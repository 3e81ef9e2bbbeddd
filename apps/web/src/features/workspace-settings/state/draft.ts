import { useState } from "react";
import { faultOf, fieldNames, type Fault, type FieldName, type Values } from "./workspace-form.ts";

export interface Draft {
  /** Saved values overlaid with unsaved edits. */
  values: Values;
  /** Fields that differ from their saved values. */
  changed: FieldName[];
  faults: Partial<Record<FieldName, Fault>>;
  set: (change: Partial<Values>) => void;
  discard: () => void;
  /** Marks `sent` as saved; anything typed since stays unsaved. */
  settle: (sent: Values) => void;
}

/** Unsaved edits of a form. Changes saved elsewhere show up in untouched fields. */
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
