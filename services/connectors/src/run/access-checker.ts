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
import {
  AccessRepository,
  CheckLostError,
  type AccessCheck,
  type AccessItem,
  type AccessOutcome,
} from "../connection/access.repository.ts";
import { nobody, type AccessList, type Source } from "../connector/connector.ts";
import { isBusy, isWorthRetrying, toSourceFault, waitOf } from "../connector/source-fault.ts";
import { audienceOf, PeopleMatcher } from "./people-matcher.ts";
import { SourceOpener } from "./source-opener.ts";

/** Items whose lists the source is asked for at once; takes less than the check's lease. */
const asked = 50;
const retrySeconds = 60;
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
    const check = await this.access.claim(connectionId, version);
    if (check === null) return;
    try {
      const outcome = await this.askSource(check, signal);
      // Also while the source can't be asked: people change too.
      await this.access.finish(check, outcome, await this.apply(check, signal));
    } catch (error) {
      if (error instanceof CheckLostError) return;
      await this.access.release(check, signal.aborted ? 0 : retrySeconds);
      throw error;
    }
  }

  private async askSource(check: AccessCheck, signal: AbortSignal): Promise<AccessOutcome> {
    const { mirrorPermissions, accessCursor } = check.connection;
    if (!mirrorPermissions) return { kind: "checked" };
    if (!check.mayAsk) return { kind: "not-asked" };
    try {
      await this.ask(check, signal);
      return { kind: "checked" };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CheckLostError) throw error;
      // Nobody would ever be asked again who comes before a page that can't be read.
      if (check.connection.accessCursor === accessCursor) await this.access.renew(check, null);
      const fault = toSourceFault(error);
      const waitSeconds = isBusy(fault) ? Math.ceil(waitOf(fault) / 1_000) : undefined;
      if (waitSeconds !== undefined && check.connection.accessCursor !== accessCursor)
        return { kind: "interrupted", waitSeconds };
      if (!isBusy(fault) && !isWorthRetrying(fault)) await this.access.noteRefusal(check);
      return { kind: "failed", fault: faultOf(fault), ...(waitSeconds && { waitSeconds }) };
    }
  }

  /** Saves what the source says, if it can tell, from where the check before stopped. */
  private async ask(check: AccessCheck, signal: AbortSignal): Promise<void> {
    const { connection } = check;
    const stored = this.opener.readStored(connection);
    const source = await this.opener.open(stored, signal);
    if (source.access === undefined) return;
    for (let isAnswering = false; ; isAnswering = true) {
      const page = await this.access.listItems(connection.id, connection.accessCursor ?? "", asked);
      if (page.length === 0) return this.access.renew(check, null);
      const lists = await readLists(
        source,
        page.map(({ item }) => stored.connector.item.parse(item)),
        isAnswering,
      );
      const changed = page.flatMap(({ key, documentId, access }, n) => {
        const now: AccessList | null = lists[n] ?? null;
        const isSame = now === null || JSON.stringify(now) === JSON.stringify(access);
        return isSame ? [] : [{ key, documentId, access, now }];
      });
      if (changed.length > 0) await this.access.saveLists(connection.id, changed);
      await this.access.renew(check, page.at(-1)!.key);
      signal.throwIfAborted();
    }
  }

  /** Tells ingest of every document whose readers aren't those it has; false if it must again. */
  private async apply(check: AccessCheck, signal: AbortSignal): Promise<boolean> {
    const { connection } = check;
    let isTold = true;
    for (let after = ""; ;) {
      const page = await this.access.listItems(connection.id, after, documentsAtOnce);
      if (page.length === 0) return isTold;
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
        // Nothing is told by a check whose place another one has taken.
        await this.access.renew(check);
        isTold = (await this.tell(check, items, audience, readers)) && isTold;
      }
      signal.throwIfAborted();
    }
  }

  private async tell(
    check: AccessCheck,
    due: readonly AccessItem[],
    audience: string | null,
    readers: number[] | null,
  ): Promise<boolean> {
    const { telling, items } = await this.access.beginTelling(check.connection.id, due);
    if (items.length === 0) return false;
    const documentIds = items.map(({ documentId }) => documentId);
    await this.client.request(setDocumentAccess, { documentIds, readers }, { scope });
    const isSure = await this.access.saveAudience(check, items, telling, audience);
    return isSure && items.length === due.length;
  }
}

/** Faults of single items, where the source itself may well answer. */
const ofItem = new Set(["source.failing", "egress.unexpected-response"]);
/** More of them among some items mean that the source doesn't. */
const maxFaulty = 10;

/**
 * The lists of these items. Those that alone can't be read name nobody; throws if that is too many of
 * them, or all unless the source has answered for others.
 */
async function readLists(
  source: Source,
  items: readonly unknown[],
  isAnswering: boolean,
): Promise<(AccessList | null)[]> {
  const faults: unknown[] = [];
  const read = async (some: readonly unknown[]): Promise<(AccessList | null)[]> => {
    try {
      return await source.access!(some);
    } catch (error) {
      const fault = toSourceFault(error);
      if (!(fault instanceof CarrelError && ofItem.has(fault.code))) throw fault;
      if (some.length === 1) {
        faults.push(fault);
        const isAll = faults.length === items.length && !isAnswering;
        if (faults.length > maxFaulty || isAll) throw fault;
        return [nobody];
      }
      const middle = some.length >> 1;
      const first = await read(some.slice(0, middle));
      return [...first, ...(await read(some.slice(middle)))];
    }
  };
  return read(items);
}

const faultOf = (error: unknown): Fault =>
  error instanceof CarrelError ? error.toFault() : { code: "request.failed" };
