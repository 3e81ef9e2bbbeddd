import { ProviderError } from "@carrel/providers";
import { expect, it } from "@jest/globals";
import type { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { DocumentWaits } from "./document-waits.ts";
import type { IndexStore } from "./index-store.ts";
import type { PostponementRepository } from "./postponement.repository.ts";
import type { StoreRecovery } from "./store-recovery.ts";

it.each<[string, ProviderError, string[]]>([
  [
    "waits after the embedder failed",
    new ProviderError(
      { code: "provider.went-silent", params: { vendor: "Ollama" } },
      { kind: "server" },
    ),
    ["provider.went-silent"],
  ],
  [
    "doesn't wait after the process cancelled the call because it stops",
    new ProviderError({ code: "provider.cancelled" }, { kind: "aborted" }),
    [],
  ],
])("a document %s", async (_what, fault, reasons) => {
  const postponed: string[] = [];
  const waits = new DocumentWaits(
    {} as IndexStore,
    {
      postponeEmbedding: (_scope, _w, { code }) => Promise.resolve(postponed.push(code) > 0),
    } as Partial<PostponementRepository> as PostponementRepository,
    {} as StoreRecovery,
    { announce: () => undefined } as Partial<DocumentProgress> as DocumentProgress,
  );
  const isHandled = await waits.postponeEmbedding(
    {} as Document,
    {} as WorkspaceDocument,
    fault,
    false,
  );
  expect(postponed).toEqual(reasons);
  expect(isHandled).toBe(reasons.length > 0);
});
