import { servicePrincipal } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { EmbeddingModels, type NamedModel } from "../embedding/embedding-models.ts";
import { DocumentCopier } from "./document-copier.ts";
import { Embedder } from "./embedder.ts";
import { IndexBuildError, buildRetryMs } from "./index-build-error.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository, type MissingDocument } from "./index-entry.repository.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };
const pageSize = 64;
/** Documents copied concurrently. */
const concurrency = 4;
/** If the embedder refuses this many documents in a row, the problem isn't the documents. */
const maxRefusals = 5;

/** One job's turn at a build. */
export interface BuildTurn {
  building: SearchIndex;
  version: number;
  named: NamedModel | null;
  signal: AbortSignal;
  /** `performance.now()` at which the turn ends. */
  until: number;
  /** Documents that the embedder refused during this turn. */
  refused: Map<number, ProviderError>;
}

/** Copies documents missing from an index, using the stored text. */
@Injectable()
export class IndexFiller {
  constructor(
    private readonly directory: IndexDirectory,
    private readonly builds: IndexBuildRepository,
    private readonly entries: IndexEntryRepository,
    private readonly embedder: Embedder,
    private readonly models: EmbeddingModels,
    private readonly copier: DocumentCopier,
  ) {}

  /** The index's embedder, ready to be called. Throws IndexBuildError if it isn't. */
  async findModel(building: SearchIndex): Promise<NamedModel | null> {
    if (building.embedder === null) return null;
    const named = await this.embedder.modelOf(building);
    if (!named) throw new IndexBuildError({ code: "index.embedder-settings-unusable" }, null);
    if (await this.models.isReady(named)) return named;
    const { fault } = await this.models.nativeState(named.model);
    throw new IndexBuildError(fault ?? { code: "embedder.downloading" }, buildRetryMs.soon);
  }

  /**
   * Copies until nothing is missing ("complete"), the turn is over ("paused"), or another job owns
   * the build ("lost").
   */
  async fill(turn: BuildTurn): Promise<"complete" | "paused" | "lost"> {
    for (let after = 0; ;) {
      const page = await this.entries.listMissing(scope, turn.building.id, after, pageSize);
      if (page.length === 0) return "complete";
      after = page.at(-1)!.id;
      if (!(await this.copyAll(turn, page))) return "lost";
      if (performance.now() > turn.until || turn.signal.aborted) return "paused";
    }
  }

  /** Copies what is still missing if that is at most `limit` documents; false if there are more. */
  async fillRest(turn: BuildTurn, limit: number): Promise<boolean> {
    const missing = await this.entries.listMissing(
      scope,
      turn.building.id,
      0,
      limit + turn.refused.size + 1,
    );
    const rest = missing.filter(({ id }) => !turn.refused.has(id));
    if (rest.length > limit) return false;
    await this.copyAll(turn, rest);
    return true;
  }

  /** False if this job no longer owns the build. */
  private async copyAll(turn: BuildTurn, documents: MissingDocument[]): Promise<boolean> {
    const { building, version, named, signal, until, refused } = turn;
    const active = await this.directory.active();
    const withText = active.textPlace !== building.textPlace;
    let next = 0;
    let isOurs = true;
    let refusals = 0;
    const worker = async (): Promise<void> => {
      while (isOurs && next < documents.length && !signal.aborted && performance.now() < until) {
        const document = documents[next++]!;
        const started = performance.now();
        let chunks = 0;
        try {
          chunks = await this.copier.copy(building, document, { named, withText, signal });
          refusals = 0;
        } catch (fault) {
          if (!isRefusal(fault) || ++refusals >= maxRefusals) throw fault;
          refused.set(document.id, fault);
        }
        isOurs &&= await this.builds.noteBuilt(scope, building.id, version, {
          chunks,
          ms: (performance.now() - started) / concurrency,
        });
        this.directory.announceProgress();
      }
    };
    const workers = await Promise.allSettled(
      Array.from({ length: Math.min(concurrency, documents.length) }, worker),
    );
    for (const end of workers) if (end.status === "rejected") throw end.reason;
    return isOurs;
  }
}

const isRefusal = (fault: unknown): fault is ProviderError =>
  fault instanceof ProviderError && (fault.kind === "invalid" || fault.kind === "context-length");
