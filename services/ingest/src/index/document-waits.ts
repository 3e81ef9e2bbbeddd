import { servicePrincipal, type KnownFault } from "@carrel/contracts";
import { isStorageFull } from "@carrel/messaging";
import { ProviderError } from "@carrel/providers";
import { VectorStoreError } from "@carrel/vector-store";
import { Injectable } from "@nestjs/common";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { IndexStore } from "./index-store.ts";
import { PostponementRepository } from "./postponement.repository.ts";
import { StoreRecovery, storeOf } from "./store-recovery.ts";

const scope = { principal: servicePrincipal, workspace: null };
/**
 * Delays in ms: before embedding is retried after the embedder failed or refused, and before
 * everything that waits for a store is retried if no process noticed its recovery.
 */
const retryMs = { soon: 30_000, later: 300_000, unnoticed: 120_000 };
const notIndexed: KnownFault = { code: "document.not-indexed" };
const notStored: KnownFault = { code: "document.vectors-not-stored" };

interface Wait {
  reason: KnownFault;
  retryMs: number;
  /** Whether the store had no space. */
  isFull?: boolean;
}

/** Makes documents wait for an embedder or a vector store that isn't available. */
@Injectable()
export class DocumentWaits {
  constructor(
    private readonly store: IndexStore,
    private readonly postponements: PostponementRepository,
    private readonly recovery: StoreRecovery,
    private readonly progress: DocumentProgress,
  ) {}

  /** Throws the store's last fault if it can't be reached, so that no work is wasted. */
  async requireStore(part: "vectors" | "text"): Promise<void> {
    const fault = await (part === "text" ? this.store.textFault() : this.store.fault());
    if (fault) throw fault;
  }

  /** False if the fault is neither the embedder's nor the store's, so the caller handles it. */
  async postponeIndexing(
    document: Document,
    w: WorkspaceDocument,
    fault: unknown,
  ): Promise<boolean> {
    const wait = describeWait(fault, notIndexed);
    if (wait === null) return false;
    if (await this.postponements.postponeIndexing(scope, w, wait.reason, wait.retryMs))
      this.progress.announce(document, { ...w, state: "queued", reason: wait.reason });
    this.watch(wait);
    return true;
  }

  /** Like `postponeIndexing`; the last attempt postpones whatever the fault. */
  async postponeEmbedding(
    document: Document,
    w: WorkspaceDocument,
    fault: unknown,
    lastAttempt: boolean,
  ): Promise<boolean> {
    const known = describeWait(fault, notStored);
    if (known === null && !lastAttempt) return false;
    const wait = known ?? { reason: notStored, retryMs: retryMs.later };
    if (await this.postponements.postponeEmbedding(scope, w, wait.reason, wait.retryMs))
      this.progress.announce(document, { ...w, state: "searchable", reason: wait.reason });
    this.watch(wait);
    return known !== null;
  }

  private watch({ reason, isFull = false }: Wait): void {
    if (reason.code === "document.waits-for-store") this.recovery.watch(isFull);
  }
}

/**
 * Null for faults that the job's next attempts may cure. `refused` is the reason if the store
 * responds, but refuses.
 */
function describeWait(fault: unknown, refused: KnownFault): Wait | null {
  // The process is stopping, and the next one can continue at once.
  if (fault instanceof ProviderError && fault.kind === "aborted") return null;
  if (fault instanceof ProviderError)
    return {
      reason: fault.fault,
      retryMs: Math.max(fault.retryAfterMs ?? 0, fault.isRetryable ? retryMs.soon : retryMs.later),
    };
  if (!(fault instanceof VectorStoreError)) return null;
  if (!fault.isRetryable) return { reason: refused, retryMs: retryMs.later };
  const store = storeOf(fault);
  return store === null
    ? null
    : {
        reason: { code: "document.waits-for-store", params: { store } },
        retryMs: retryMs.unnoticed,
        isFull: isStorageFull(fault),
      };
}
