import { CarrelError, parseDocument, servicePrincipal, type Scope } from "@carrel/contracts";
import { isStorageFull } from "@carrel/messaging";
import { context, nextTraceparent, type Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type BeforeApplicationShutdown } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { ownerOf } from "../document/document-jobs.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { maxEmbeddingJobs } from "../index/document-embedder.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { FairPlaces } from "../work-pool/fair-places.ts";
import { Semaphore } from "../work-pool/semaphore.ts";
import { DocumentParser, type Attempt } from "./document-parser.ts";
import { ParsingRepository, type Claim } from "./parsing.repository.ts";
import type { Registered } from "./registration.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * How often waiting documents are recounted, in ms; this process adds what it admits in between.
 */
const countEveryMs = 1_000;
/** Retry-After for a refused client, in seconds: long enough to parse a few hundred small files. */
const retryAfterSeconds = 5;

/** A registration claims its document for this long; the lease is renewed while it is parsed. */
export const uploadLeaseMs = 15_000;
const renewEveryMs = 5_000;
/** How long a stopping process waits for running documents. */
const stopMs = 3_000;

/** A job that embeds what it published doesn't parse, so others take its place. */
const maxConcurrentParses = 6;
/** Jobs that parse or embed at a time. */
export const maxParseJobs = maxConcurrentParses + maxEmbeddingJobs;

/** Smaller originals never wait for large ones. */
const smallBytes = 64 * 1024;

/**
 * Admits every document to parsing, within all limits: how many documents wait, which of them are
 * parsed at once, whose turn it is, and how much memory originals and texts take.
 *
 * Uploads are parsed in the process that registered them, without a job, while parsing has free
 * places. The lease in the document's row replaces the job's lock: if it lapses because the
 * process died, a job is queued.
 */
@Injectable()
export class IntakeGate implements BeforeApplicationShutdown {
  private waiting = 0;
  private countedAt = -Infinity;
  private counting: Promise<void> | null = null;

  /** Places for uploads. A few files don't wait for somebody else's many. */
  private readonly places = new FairPlaces(maxParseJobs, { beyond: maxParseJobs, own: 3 });
  /** Places for uploads and jobs alike, while a text is extracted. */
  private readonly turns = new FairPlaces(maxConcurrentParses, {
    beyond: maxConcurrentParses,
    own: 3,
  });
  /** Bytes of originals that are being parsed and of texts that aren't stored yet. */
  private readonly memory: Semaphore;
  private readonly largest: number;

  private readonly running = new Map<Document, Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly parsing: ParsingRepository,
    private readonly parser: DocumentParser,
  ) {
    this.largest = config.CARREL_PARSE_MAX_MB * 1024 * 1024;
    this.memory = new Semaphore(config.CARREL_PARSE_BUFFER_MB * 1024 * 1024);
  }

  /**
   * Throws BUSY when too many documents wait to be parsed, so that the client keeps the upload and
   * retries; several replicas together may exceed the limit slightly for up to a second. Counts over
   * the caller's connection, because callers that each held one connection while waiting for another
   * would deadlock.
   */
  async admit(scope: Scope, manager: EntityManager): Promise<void> {
    const most = this.config.CARREL_INGEST_WAITING;
    if (performance.now() - this.countedAt >= countEveryMs)
      await (this.counting ??= this.count(scope, manager, most).finally(() => {
        this.counting = null;
      }));
    if (this.waiting >= most)
      throw new CarrelError("document.queue-full", {}, { retryAfter: retryAfterSeconds });
    this.waiting++;
  }

  /**
   * Whether an upload of this owner is parsed at once; then the caller must start it or release the
   * place.
   */
  tryReserve(owner: string): boolean {
    return !this.isStopping && this.turns.hasRoom(owner) && this.places.tryAcquire(owner);
  }

  release(owner: string): void {
    this.places.release(owner);
  }

  /** Parses a document that is registered and claimed; takes over the reserved place. */
  start(registered: Registered): void {
    const { document } = registered;
    const work = context.get();
    const run = context.run(
      {
        requestId: work?.requestId ?? document.id,
        actor: "service",
        traceparent: nextTraceparent(work?.traceparent),
        idempotencyKey: `job/${parseDocument.name}/${document.id}/${document.version}`,
      },
      () => this.run(registered),
    );
    this.running.set(document, run);
    this.timer ??= setInterval(() => void this.renew(uploadLeaseMs), renewEveryMs).unref();
  }

  /**
   * Parses, stores and embeds a claimed document when it is its owner's turn. A turn ends before the
   * text is stored, which can take longer than parsing. Without `targets`, the waiting workspaces are
   * read.
   */
  parseInTurn(
    claim: Claim,
    targets: WorkspaceDocument[] | null,
    owner: string,
    attempt: Attempt,
  ): Promise<void> {
    const { bytes } = claim.document;
    return this.hold(bytes, (note) =>
      this.notingFull(claim, targets, async () => {
        const extracted = await this.turns.use(owner, bytes, () =>
          this.parser.extract(claim, targets, owner, attempt, note),
        );
        if (extracted) await this.parser.saveAndEmbed(extracted);
      }),
    );
  }

  /**
   * Parses for queues whose jobs take long: their concurrency is their limit, and embedding is
   * queued.
   */
  parse(claim: Claim, owner: string, attempt: Attempt): Promise<void> {
    return this.hold(claim.document.bytes, (note) =>
      this.notingFull(claim, null, async () => {
        const extracted = await this.parser.extract(claim, null, owner, attempt, note);
        if (extracted) await this.parser.save({ ...extracted, isEmbeddedHere: false });
      }),
    );
  }

  /**
   * Runs a task on an original of this size once there is memory for it. With `note`, the task says
   * how many bytes it holds from then on.
   */
  hold<T>(bytes: number, task: (note: (bytes: number) => void) => Promise<T>): Promise<T> {
    const run = async (reserved: number): Promise<T> => {
      let held = reserved;
      const note = (now: number): void => {
        this.memory.adjust(held, now);
        held = now;
      };
      try {
        return await task(note);
      } finally {
        note(reserved);
      }
    };
    // Too large ones are refused unread.
    const waits = bytes > smallBytes && bytes <= this.largest;
    return waits ? this.memory.use(bytes, () => run(bytes)) : run(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, stopMs);
    await Promise.race([Promise.all(this.running.values()), late]);
    clearTimeout(timer);
    if (this.timer) clearInterval(this.timer);
    // The next process takes over what is left.
    if (this.running.size > 0) await this.renew(0);
  }

  private async notingFull(
    { document }: Claim,
    targets: WorkspaceDocument[] | null,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (fault) {
      if (isStorageFull(fault)) await this.parser.noteFull(document, targets);
      throw fault;
    }
  }

  private async count(scope: Scope, manager: EntityManager, most: number): Promise<void> {
    this.waiting = await this.parsing.countWaiting(scope, manager, most);
    this.countedAt = performance.now();
  }

  private async run(registered: Registered): Promise<void> {
    const { document, targets } = registered;
    const owner = ownerOf(document.userId, targets[0]?.workspaceId ?? null);
    try {
      // If it fails, a job tries again.
      await this.parseInTurn({ document, first: true }, targets, owner, { lastAttempt: false });
    } catch (fault) {
      this.logger.warn({ err: fault, documentId: document.id }, "couldn't parse an upload at once");
      await this.queue(registered);
    } finally {
      this.running.delete(document);
      if (this.running.size === 0 && this.timer) {
        clearInterval(this.timer);
        this.timer = null;
      }
      this.release(owner);
    }
  }

  /** If this fails, a job is queued when the lease has lapsed. */
  private async queue({ document, targets }: Registered): Promise<void> {
    try {
      await this.parsing.queue(scope, document, targets[0]?.workspaceId ?? null);
    } catch (fault) {
      this.logger.warn({ err: fault, documentId: document.id }, "couldn't queue an upload");
    }
  }

  private async renew(leaseMs: number): Promise<void> {
    await this.parsing
      .setLease(scope, [...this.running.keys()], leaseMs)
      .catch((fault: unknown) =>
        this.logger.warn({ err: fault }, "couldn't renew uploads' leases"),
      );
  }
}
