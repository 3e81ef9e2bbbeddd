import type { Out, WorkspaceScope, searchPassages } from "@carrel/contracts";
import { VectorStoreError, type ScoredId, type VectorModel } from "@carrel/vector-store";
import { Injectable } from "@nestjs/common";
import { IndexStore } from "../index/index-store.ts";
import { PostponementRepository } from "../index/postponement.repository.ts";
import { StoreRecovery, storeOf } from "../index/store-recovery.ts";
import { StoredTextIndex, type SearchableText } from "./stored-text-index.ts";

/** How long a question waits for semantic hits, including creating a missing table, in ms. */
const vectorsMs = 10_000;

type Fallback = Out<typeof searchPassages>["fallback"];
type VectorQuery = Parameters<Awaited<ReturnType<IndexStore["vectors"]>>["search"]>[0];

/** What a search needs of a vector index; null if it isn't available. */
interface SearchableVectors {
  search(query: VectorQuery): Promise<ScoredId[] | null>;
}

/** Opens the indexes for searches, and replaces those that aren't available. */
@Injectable()
export class AvailableIndexes {
  constructor(
    private readonly index: IndexStore,
    private readonly stored: StoredTextIndex,
    private readonly recovery: StoreRecovery,
    private readonly postponements: PostponementRepository,
  ) {}

  /** The store that the workspace's documents wait for; null if none does. */
  async findWait(scope: WorkspaceScope): Promise<Fallback> {
    const store = await this.postponements.findStore(scope);
    return store === null ? null : { store, searched: "stored-text" };
  }

  /** `isRebuilding`: the full-text index lacks documents. */
  async open(scope: WorkspaceScope, isRebuilding: boolean): Promise<SearchIndexes> {
    const fallback: Fallback = isRebuilding
      ? { store: await this.index.storeName("text"), searched: "stored-text", isRebuilding }
      : null;
    return new SearchIndexes(this.index, this.stored.open(scope), this.recovery, fallback);
  }
}

/** The indexes of one search. */
export class SearchIndexes {
  private isTextUsable: boolean;

  constructor(
    private readonly index: IndexStore,
    private readonly storedText: SearchableText,
    private readonly recovery: StoreRecovery,
    private current: Fallback,
  ) {
    this.isTextUsable = current === null;
  }

  /** What the search had to do without, so far. */
  get fallback(): Fallback {
    return this.current;
  }

  /** The full-text index, or the stored text from the first call on that fails. */
  readonly text: SearchableText = {
    statistics: (query) => this.searchText((text) => text.statistics(query)),
    search: (query) => this.searchText((text) => text.search(query)),
  };

  /** Vectors of a table of the active index. */
  vectors(model: VectorModel): SearchableVectors {
    return {
      search: async (query) => {
        try {
          const fault = await this.index.fault();
          if (fault) throw fault;
          const pending = this.index.vectors(model).then((vectors) => vectors.search(query));
          return await Promise.race([pending, this.rejectLate(pending)]);
        } catch (fault) {
          await this.note(fault, "text-index");
          return null;
        }
      },
    };
  }

  private async searchText<T>(work: (text: SearchableText) => Promise<T>): Promise<T> {
    if (this.isTextUsable)
      try {
        const fault = await this.index.textFault();
        if (fault) throw fault;
        return await work(await this.index.text());
      } catch (fault) {
        await this.note(fault, "stored-text");
        this.isTextUsable = false;
      }
    return work(this.storedText);
  }

  /** Rethrows anything but a fault of a vector database. */
  private async note(fault: unknown, searched: NonNullable<Fallback>["searched"]): Promise<void> {
    if (!(fault instanceof VectorStoreError) || fault.fault.code === "vector-store.call-invalid")
      throw fault;
    if (fault.isRetryable) this.recovery.watch();
    if (this.current?.searched === "stored-text") return;
    const store =
      storeOf(fault) ??
      (await this.index.storeName(searched === "stored-text" ? "text" : "vectors"));
    this.current = { store, searched };
  }

  /** Rejects if the work takes too long. */
  private async rejectLate(work: Promise<unknown>): Promise<never> {
    const store = await this.index.storeName("vectors");
    return new Promise((_resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new VectorStoreError(
              {
                code: "vector-store.timed-out",
                params: { store, seconds: vectorsMs / 1_000 },
              },
              { isRetryable: true },
            ),
          ),
        vectorsMs,
      );
      const clear = (): void => clearTimeout(timer);
      work.then(clear, clear);
    });
  }
}
