import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { withOneRetry } from "../http/run-request.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { createOllamaClient, type OllamaEndpoint } from "./ollama-client.ts";

/** wire-contract.md 11.1: ids only. */
export async function listOllamaModels(
  endpoint: OllamaEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const describe = (fault: unknown, started: boolean) =>
    describeTransportFault(endpoint.vendor, fault, started);
  const { models } = await withOneRetry(
    signal,
    () => createOllamaClient(endpoint, signal).list(),
    describe,
  );
  return models.map(({ name }) => ({ id: name }));
}
