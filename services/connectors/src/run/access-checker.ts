import {
  CarrelError,
  checkConnectionAccess,
  servicePrincipal,
  setDocumentAccess,
  type Fault,
  type JobPayload,
} from "@carrel/contracts";
import {
  jobMessage,
  Process,
  Reconciler,
  RequestClient,
  type JobContext,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { AccessRepository, type AccessItem } from "../connection/access.repository.ts";
import type { Connection } from "../connection/connection.entity.ts";
import type { AccessList } from "../connector/connector.ts";
import { isBusy, toSourceFault, waitOf } from "../connector/source-fault.ts";
import { audienceOf, PeopleMatcher } from "./people-matcher.ts";
import { SourceOpener } from "./source-opener.ts";

/** Items whose lists the source is asked for at once. */
const asked = 100;
/** The contract's limit. */
const documentsAtOnce = 1_000;
const scope = { principal: servicePrincipal, workspace: null };

/**
 * Asks sources every hour who may see their items, apart from their contents, and matches people
 * anew: addresses, users and lists may have changed (docs/decisions/document-permissions.md).
 */
@Injectable()
export class AccessChecker extends Reconciler {
  constructor(
    private readonly access: AccessRepository,
    private readonly opener: SourceOpener,
    private readonly people: PeopleMatcher,
    private readonly client: RequestClient,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    return (await this.access.listDue()).map(({ id, accessVersion: version }) =>
      jobMessage(checkConnectionAccess, {
        rowId: id,
        version,
        payload: { connectionId: id, version },
      }),
    );
  }

  @Process(checkConnectionAccess, { concurrency: 4 })
  async run(
    { connectionId, version }: JobPayload<typeof checkConnectionAccess>,
    { signal }: JobContext,
  ): Promise<void> {
    const connection = await this.access.claim(connectionId, version);
    if (connection === null) return;
    let fault: unknown = null;
    try {
      if (connection.mirrorPermissions) await this.ask(connection, signal);
    } catch (error) {
      fault = toSourceFault(error);
    }
    signal.throwIfAborted();
    try {
      // Also while the source can't be asked: people change too.
      await this.apply(connection);
    } catch (error) {
      await this.access.retrySoon(connectionId);
      throw error;
    }
    const wait = isBusy(fault) ? [Math.ceil(waitOf(fault) / 1_000)] : [];
    await this.access.finish(connectionId, fault === null ? null : faultOf(fault), ...wait);
  }

  /** Saves what the source says, if it can tell. */
  private async ask(connection: Connection, signal: AbortSignal): Promise<void> {
    const stored = this.opener.readStored(connection);
    const source = await this.opener.open(stored, signal);
    if (source.access === undefined) return;
    for (let after = ""; ;) {
      const page = await this.access.listItems(connection.id, after, asked);
      if (page.length === 0) return;
      after = page.at(-1)!.key;
      const items = page.map(({ item }) => stored.connector.item.parse(item));
      const lists = await source.access(items);
      const changed = page.flatMap(({ key, documentId, access }, n) => {
        const now: AccessList | null = lists[n] ?? null;
        const isSame = now === null || JSON.stringify(now) === JSON.stringify(access);
        return isSame ? [] : [{ key, documentId, access: now }];
      });
      if (changed.length > 0) await this.access.saveLists(connection.id, changed);
      signal.throwIfAborted();
    }
  }

  /** Tells ingest of every document whose readers aren't those it has. */
  async apply(connection: Connection): Promise<void> {
    for (let after = ""; ;) {
      const page = await this.access.listItems(connection.id, after, documentsAtOnce);
      if (page.length === 0) return;
      after = page.at(-1)!.key;
      const matched = await this.people.match(
        page.map(({ access }) => access),
        connection,
      );
      const due = new Map<string | null, { readers: number[] | null; items: AccessItem[] }>();
      for (const item of page) {
        const readers = matched.readersOf(item.access);
        const audience = audienceOf(readers);
        if (audience === item.audience) continue;
        const group = due.get(audience) ?? { readers, items: [] };
        group.items.push(item);
        due.set(audience, group);
      }
      for (const [audience, { readers, items }] of due) {
        const documentIds = items.map(({ documentId }) => documentId);
        await this.client.request(setDocumentAccess, { documentIds, readers }, { scope });
        await this.access.saveAudience(connection.id, items, audience);
      }
    }
  }
}

const faultOf = (error: unknown): Fault =>
  error instanceof CarrelError ? error.toFault() : { code: "request.failed" };
