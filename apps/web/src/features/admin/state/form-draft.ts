import { useEffect, useEffectEvent } from "react";
import type { UseFormReturn } from "react-hook-form";
import { draftOf, type Values } from "../../../lib/provider-form.ts";

/** Restores the unsaved edits of an earlier visit, and hands them over when the form is left. */
export function useFormDraft(
  { setValue, getValues }: UseFormReturn<Values>,
  {
    initial,
    draft,
    onLeave,
  }: { initial: Values; draft: Values | undefined; onLeave: (draft: Values | null) => void },
): void {
  const restore = useEffectEvent(() => {
    for (const [key, value] of Object.entries(draft ?? {}))
      setValue(key, value, { shouldDirty: true });
  });
  const leave = useEffectEvent(() => onLeave(draftOf(getValues(), initial)));
  useEffect(() => {
    restore();
    return () => leave();
  }, []);
}
