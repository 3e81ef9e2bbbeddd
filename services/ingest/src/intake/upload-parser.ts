import { parseDocument, servicePrincipal } from "@carrel/contracts";
import { Outbox } from "@carrel/messaging";
import { context, nextTraceparent, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type BeforeApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";
import { parseJob } from "../document/document-jobs.ts";
import { ownerOf } from "../document/document-owner.ts";
import type { Document } from "../document/document.entity.ts";
import { FairPlaces } from "../work-pool/fair-places.ts";
import { DocumentParser, maxParseJobs } from "./document-parser.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import type { Registered } from "./registration.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** A registration claims its document for this long; the lease is renewed while it is parsed. */
export const uploadLeaseMs = 15_000;
const renewEveryMs = 5_000;
/** How long a stopping process waits for running documents. */
const stopMs = 3_000;

/**
 * Parses uploads in the process that registered them, without a job, while parsing has free places.
 * The lease in the document's row takes the place of the job's lock: if it lapses because the process
 * died, a job is queued.
 */
@Injectable()
export class UploadParser implements BeforeApplicationShutdown {
  /** Somebody who uploads a few files doesn't wait for another's many. */
  private readonly places = new FairPlaces(maxParseJobs, { beyond: maxParseJobs, own: 3 });
  private readonly running = new Map<Document, Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly parser: DocumentParser,
    private readonly parsing: ParsingRepository,
  ) {}

  /** If true, the caller must start a document or release the place. */
  tryReserve(owner: string): boolean {
    return !this.isStopping && this.parser.isFreeFor(owner) && this.places.tryAcquire(owner);
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

  private async run(registered: Registered): Promise<void> {
    const { document, targets } = registered;
    try {
      await this.parser.parseClaimed(registered);
    } catch (fault) {
      this.logger.warn({ err: fault, documentId: document.id }, "couldn't parse an upload at once");
      await this.queue(registered);
    } finally {
      this.running.delete(document);
      if (this.running.size === 0 && this.timer) {
        clearInterval(this.timer);
        this.timer = null;
      }
      this.release(ownerOf(document.userId, targets[0]?.workspaceId ?? null));
    }
  }

  /** If this fails, a job is queued when the lease has lapsed. */
  private async queue({ document, targets }: Registered): Promise<void> {
    try {
      await this.dataSource.transaction((manager) =>
        this.outbox.add(manager, parseJob(document, targets[0]?.workspaceId ?? null)),
      );
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
