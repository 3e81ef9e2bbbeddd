import { anthropic } from "./anthropic.ts";
import { extractive } from "./extractive.ts";
import { genericOpenAi } from "./generic-openai.ts";
import { native } from "./native.ts";
import { ollama } from "./ollama.ts";
import { openAi } from "./openai.ts";
import type { Vendor } from "./vendor.ts";

/** In the order of the forms; the first of each capability is the default. */
export const vendors: readonly Vendor[] = [
  extractive,
  native,
  openAi,
  anthropic,
  ollama,
  genericOpenAi,
];
