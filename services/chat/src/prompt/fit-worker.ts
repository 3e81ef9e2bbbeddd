import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { fitContextWindow, type FittedParts, type PromptParts } from "./fit-context-window.ts";

/**
 * Runs in a worker thread (prompt-fitter.ts), which loads the tokenizer's tables only when a prompt
 * may be too long.
 */
export default function fit(job: { parts: PromptParts; window: number }): FittedParts {
  return fitContextWindow(job.parts, job.window, (text) =>
    countTokens(text, { allowedSpecial: "all" }),
  );
}
