import { ProviderError } from "@carrel/providers";
import { expect, it } from "@jest/globals";
import type { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import type { PublishedEmbedder } from "../index/published-embedder.ts";
import { DocumentParser } from "./document-parser.ts";
import type { IntakeQueues } from "./intake-queues.ts";
import type { ParseOutcome } from "./parse-outcome.ts";
import type { ParsingRepository } from "./parsing.repository.ts";
import type { TextExtractor } from "./text-extractor.ts";

it("gives up a document at once that it can't parse because the process stops", async () => {
  const stopping = new AbortController();
  const document = { id: "a", version: 1, run: 2, userId: 7, bytes: 1 } as Document;
  const leases: unknown[] = [];
  const parser = new DocumentParser(
    {
      claim: () => Promise.resolve({ document, first: true }),
      setLease: (_scope, runs, leaseMs) => Promise.resolve(void leases.push([runs, leaseMs])),
    } as Partial<ParsingRepository> as ParsingRepository,
    {
      listQueued: () => Promise.resolve([]),
    } as Partial<WorkspaceDocumentRepository> as WorkspaceDocumentRepository,
    {
      memory: {
        use: (_bytes: number, task: (note: () => void) => unknown) => task(() => undefined),
      },
      extract: () => {
        stopping.abort();
        return Promise.reject(
          new ProviderError({ code: "request.timed-out" }, { kind: "aborted" }),
        );
      },
    } as unknown as TextExtractor,
    {} as IntakeQueues,
    {} as ParseOutcome,
    {} as PublishedEmbedder,
    { announce: () => undefined } as Partial<DocumentProgress> as DocumentProgress,
  );
  const attempt = { attempt: 3, lastAttempt: true, crashes: 0, signal: stopping.signal };
  // Not the provider's error, which would end the job for good.
  await expect(parser.run({ documentId: "a", version: 1 }, attempt)).rejects.toHaveProperty(
    "name",
    "AbortError",
  );
  expect(leases).toEqual([[[document], 0]]);
});
