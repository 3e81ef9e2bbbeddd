import { useState, type FormEvent } from "react";
import { wordsOf } from "../api/refusal.ts";

/**
 * A form that makes one thing whose secret is shown once: what was made, whether it is under way,
 * and why it could not be.
 */
export function useMaking(make: () => Promise<string>, explain: (message: string) => string) {
  const [made, setMade] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      setMade(await make());
    } catch (error) {
      setProblem(explain(wordsOf(error)));
    } finally {
      setBusy(false);
    }
  };
  return { made, busy, problem, submit };
}
