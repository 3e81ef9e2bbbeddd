import { ProviderError } from "@carrel/providers";
import { expect, it } from "@jest/globals";
import type { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import type { PublishedEmbedder } from "../index/document-embedder.ts";
import { DocumentParser, type TextExtractor } from "./document-parser.ts";
import type { ParseOutcome } from "./parse-outcome.ts";
import type { ParsingRepository } from "./parsing.repository.ts";

it("gives up a document at once that it can't parse because the process stops", async () => {
  const stopping = new AbortController();
  const document = { id: "a", version: 1, run: 2, userId: 7, bytes: 1 } as Document;
  const leases: unknown[] = [];
  const parser = new DocumentParser(
    {
      setLease: (_scope, runs, leaseMs) => Promise.resolve(void leases.push([runs, leaseMs])),
    } as Partial<ParsingRepository> as ParsingRepository,
    {
      listQueued: () => Promise.resolve([]),
    } as Partial<WorkspaceDocumentRepository> as WorkspaceDocumentRepository,
    {
      extract: () => {
        stopping.abort();
        return Promise.reject(
          new ProviderError({ code: "request.timed-out" }, { kind: "aborted" }),
        );
      },
    } as Partial<TextExtractor> as TextExtractor,
    {} as ParseOutcome,
    {} as PublishedEmbedder,
    { announce: () => undefined } as Partial<DocumentProgress> as DocumentProgress,
  );
  const attempt = { lastAttempt: true, signal: stopping.signal };
  // Not the provider's error, which would end the job for good.
  await expect(
    parser.extract({ document, first: true }, null, "person 7", attempt, () => undefined),
  ).rejects.toHaveProperty("name", "AbortError");
  expect(leases).toEqual([[[document], 0]]);
});
