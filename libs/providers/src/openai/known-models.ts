/** Context windows by prefix of the model name, longest first (OpenAI's model pages, 2026-02). */
const windows: [string, number][] = [
  ["gpt-5", 400_000],
  ["gpt-4.1", 1_047_576],
  ["gpt-4o", 128_000],
  ["gpt-4-turbo", 128_000],
  ["gpt-4-32k", 32_768],
  ["gpt-4.5", 128_000],
  ["gpt-4", 8_192],
  ["gpt-3.5-turbo", 16_385],
  ["o1-mini", 128_000],
  ["o1-preview", 128_000],
  ["o1", 200_000],
  ["o3", 200_000],
  ["o4", 200_000],
];
/** For unknown models: every model since 2024 has at least this much. */
const otherWindow = 128_000;

const baseName = (model: string): string => model.replace(/^ft:/, "");

export function openAiContextWindow(model: string): number {
  return windows.find(([start]) => baseName(model).startsWith(start))?.[1] ?? otherWindow;
}

/** Reasoning models accept no temperature. */
export const isReasoningModel = (model: string): boolean =>
  /^(?:o\d|gpt-5(?!-chat))/.test(baseName(model));

/**
 * Shown while OpenAI's own list is unavailable (no key yet, offline): six, as existing clients
 * expect (wire-contract.md 11.1).
 */
export const fallbackModels = [
  "gpt-4.1",
  "gpt-4.1-mini",
  "gpt-4.1-nano",
  "gpt-4o",
  "gpt-4o-mini",
  "o4-mini",
];

const blindModels =
  /^(?:gpt-3\.5|gpt-4(?!o|\.|-turbo|-vision)|gpt-4-turbo-preview|o1-mini|o1-preview|o3-mini)/;
/**
 * Whether an OpenAI model accepts images (model pages, 2026-02): all but the oldest and some small
 * reasoning models do.
 */
export const seesOpenAiImages = (model: string): boolean => !blindModels.test(baseName(model));
