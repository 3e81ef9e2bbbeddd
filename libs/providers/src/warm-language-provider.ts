import { loadProviderFetch } from "@carrel/egress";
import { loadAnthropicSdk } from "./anthropic/anthropic-client.ts";
import { loadOpenAiSdk } from "./openai/openai-client.ts";

/**
 * Loads what the provider's first call would load (0.7 s), without calling anybody. Providers
 * without code of their own need nothing.
 */
export async function warmLanguageProvider(id: string): Promise<void> {
  if (id === "openai" || id === "generic-openai")
    await Promise.all([loadOpenAiSdk(), loadProviderFetch()]);
  else if (id === "anthropic") await Promise.all([loadAnthropicSdk(), loadProviderFetch()]);
  else if (id === "ollama") await loadProviderFetch();
}
