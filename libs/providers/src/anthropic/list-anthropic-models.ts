import { withOneRetry } from "../http/run-request.ts";
import type { ListedModel } from "../spec/language-model.ts";
import {
  createAnthropicClient,
  describeAnthropicFault,
  type AnthropicEndpoint,
} from "./anthropic-client.ts";
import { findAnthropicModel } from "./anthropic-language-model.ts";

/** wire-contract.md 11.1: id and name. */
export async function listAnthropicModels(
  endpoint: AnthropicEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  return withOneRetry(
    signal,
    async () => {
      const models: ListedModel[] = [];
      for await (const { id, display_name } of (await createAnthropicClient(endpoint)).models.list(
        { limit: 100 },
        { signal },
      ))
        models.push({
          id,
          name: display_name,
          contextWindow: findAnthropicModel(id).contextWindow,
        });
      return models;
    },
    (fault, started) => describeAnthropicFault(endpoint.vendor, fault, started),
  );
}
