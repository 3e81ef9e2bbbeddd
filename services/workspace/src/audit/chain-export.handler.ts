import { createReadStream } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  exportEventChain,
  listExportedEvents,
  servicePrincipal,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import {
  NotALineError,
  anchorRecord,
  interleave,
  readLines,
  signedForm,
  writeRecord,
  type Anchor,
  type ExportRecord,
} from "../event-chain/export-record.ts";
import { ChainRepository } from "../event/chain.repository.ts";
import { EventRepository } from "../event/event.repository.ts";
import { SigningKeys } from "../event/signing-keys.ts";
import { UserDirectory } from "../user/user-directory.ts";

/**
 * Copies anchors out of the database, to the data folder and the log, from where backups and log
 * collectors take them out of reach of whoever can change the database.
 */
@Injectable()
export class AnchorFile {
  constructor(
    @Inject(CONFIG) private readonly config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async append(anchor: Anchor): Promise<void> {
    this.logger.info({ anchor }, "event log anchored");
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await appendFile(this.file, writeRecord(anchor), { mode: 0o600 });
    } catch (error) {
      this.logger.error({ err: error }, "couldn't copy the event log's anchor to the data folder");
    }
  }

  /** The copies in the data folder; other lines, such as one that was cut off, are left out. */
  async read(): Promise<Anchor[]> {
    const anchors: Anchor[] = [];
    try {
      for await (const line of readLines(createReadStream(this.file))) {
        const anchor = anchorRecord.safeParse(parse(line)).data;
        if (anchor !== undefined) anchors.push(anchor);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && !(error instanceof NotALineError)) throw error;
    }
    return anchors;
  }

  private get folder(): string {
    return join(this.config.CARREL_HOME, "audit");
  }

  private get file(): string {
    return join(this.folder, "anchors.jsonl");
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

type Cursor = NonNullable<In<typeof exportEventChain>["cursor"]>;
type ChainPage = Out<typeof exportEventChain>;

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** A reply may take 1 MB. */
const pageLength = 200;
const pageBytes = 600_000;

const unknownUser = "unknown user";

/** The log for downloads, in pages that the gateway streams. */
@Controller()
export class ChainExportHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chain: ChainRepository,
    private readonly keys: SigningKeys,
    private readonly events: EventRepository,
    private readonly users: UserDirectory,
  ) {}

  @Handle(exportEventChain)
  async exportChain(
    { cursor }: In<typeof exportEventChain>,
    { scope }: RequestContext,
  ): Promise<ChainPage> {
    return cursor === null ? this.begin(scope) : this.proceed(scope, cursor);
  }

  @Handle(listExportedEvents)
  async list(
    { after, ...filter }: In<typeof listExportedEvents>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listExportedEvents>> {
    const found = await this.events.listChained(scope, filter, { after, limit: pageLength });
    const page = cutPage(found);
    const users = await this.users.find(page.flatMap(({ userId }) => userId ?? []));
    const isLast = page.length === found.length && found.length < pageLength;
    return {
      events: page.map((event) => ({
        ...event,
        username: event.userId === null ? "" : (users.get(event.userId)?.username ?? unknownUser),
      })),
      next: isLast ? null : page.at(-1)!.sequence,
    };
  }

  /** What the export contains is fixed, and signed, when it begins. */
  private begin(scope: Scope): Promise<ChainPage> {
    return this.dataSource.transaction(async (manager) => {
      const checkpoints = await this.chain.checkpoints(scope, manager);
      const { instance, sequence, hash } = await this.chain.head(scope, manager);
      const lastAnchor = await this.chain.lastAnchor(scope, manager);
      const after = checkpoints.at(-1)?.sequence ?? 0;
      const day = lastAnchor?.day ?? null;
      const unsigned = {
        type: "end" as const,
        sequence,
        hash,
        events: sequence - after,
        checkpoints: checkpoints.length,
        anchors: await this.chain.countAnchors(scope, manager),
        signedAt: new Date().toISOString(),
      };
      const signature = await this.keys.sign(serviceScope, manager, signedForm(instance, unsigned));
      const removed = await this.chain.anchors(scope, manager, { from: -1, to: after, day });
      const records: ExportRecord[] = [
        {
          type: "header",
          format: "carrel-event-log",
          version: 1,
          instance,
          keys: await this.keys.list(scope, manager),
        },
        ...checkpoints,
        ...removed,
      ];
      return {
        lines: records.map(writeRecord).join(""),
        cursor: { after, to: sequence, day, end: writeRecord({ ...unsigned, ...signature }) },
      };
    });
  }

  private async proceed(scope: Scope, cursor: Cursor): Promise<ChainPage> {
    const { after, to, day, end } = cursor;
    const { manager } = this.dataSource;
    const next = Math.min(after + pageLength, to);
    const found = await this.chain.events(scope, manager, { from: after, to: next });
    const events = cutPage(found);
    if (after < to && events[0]?.sequence !== after + 1 && (await this.isPruned(scope, after)))
      throw new CarrelError("event-log.pruned-meanwhile");
    const last = events.length < found.length ? events.at(-1)!.sequence : next;
    const anchors = await this.chain.anchors(scope, manager, { from: after, to: last, day });
    const records = interleave(events, anchors);
    const lines = records.map(writeRecord).join("");
    return last === to
      ? { lines: lines + end, cursor: null }
      : { lines, cursor: { ...cursor, after: last } };
  }

  /** Otherwise, the entries after `after` are missing for another reason, which the export proves. */
  private async isPruned(scope: Scope, after: number): Promise<boolean> {
    const checkpoints = await this.chain.checkpoints(scope);
    return checkpoints.some(({ sequence }) => sequence > after);
  }
}

/** As many entries as fit into a reply, which contains each as JSON within JSON. */
function cutPage<T>(events: readonly T[]): T[] {
  let room = pageBytes;
  const tooLong = events.findIndex((event, index) => {
    room -= Buffer.byteLength(JSON.stringify(JSON.stringify(event)));
    return room < 0 && index > 0;
  });
  return events.slice(0, tooLong === -1 ? events.length : tooLong);
}
