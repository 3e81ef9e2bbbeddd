import {
  CarrelError,
  checkConnection,
  clipText,
  listChoices,
  listChoicesOnce,
  previewConnection,
  type Fault,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { ConnectionRepository, isOwner } from "../connection/connection.repository.ts";
import { nobody, type AccessList, type ListedItem, type Source } from "../connector/connector.ts";
import { toSourceFault } from "../connector/source-fault.ts";
import { PeopleMatcher } from "../run/people-matcher.ts";
import { SourceOpener, type SourceAccess } from "../run/source-opener.ts";

type Draft = In<typeof checkConnection>;
type Preview = In<typeof previewConnection>;

/** How long a preview counts, and how far. */
const previewMs = 20_000;
const maxCounted = 20_000;
const shownExamples = 5;
/** Items whose lists of people are read. */
const maxChecked = 200;
const checkedAtOnce = 10;
/** How long that may take; what was read by then counts. */
const accessMs = 20_000;

/** Tries a source with fields that may not be saved yet; nothing is stored. */
@Controller()
export class DraftHandler {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly opener: SourceOpener,
    private readonly people: PeopleMatcher,
  ) {}

  @Handle(checkConnection)
  async check(
    input: In<typeof checkConnection>,
    context: RequestContext,
  ): Promise<Out<typeof checkConnection>> {
    try {
      const source = await this.open(input, context);
      await source.check();
      return { success: true, fault: null };
    } catch (error) {
      return { success: false, fault: faultOf(error) };
    }
  }

  @Handle(listChoices)
  async choices(
    { field, ...draft }: In<typeof listChoices>,
    context: RequestContext,
  ): Promise<Out<typeof listChoices>> {
    try {
      const access = await this.read(draft, context);
      return { choices: await this.opener.choices(access, field, context.signal), fault: null };
    } catch (error) {
      return { choices: [], fault: faultOf(error) };
    }
  }

  @Handle(listChoicesOnce)
  async choicesOnce(
    { connector, settings, credential, field }: In<typeof listChoicesOnce>,
    context: RequestContext,
  ): Promise<Out<typeof listChoicesOnce>> {
    try {
      const access = this.opener.read(connector, settings, credential);
      return { choices: await this.opener.choices(access, field, context.signal) };
    } catch (error) {
      throw toSourceFault(error);
    }
  }

  @Handle(previewConnection)
  async preview(
    input: In<typeof previewConnection>,
    context: RequestContext,
  ): Promise<Out<typeof previewConnection>> {
    try {
      return await this.count(input, context);
    } catch (error) {
      throw toSourceFault(error);
    }
  }

  private async count(input: Preview, context: RequestContext) {
    const access = await this.read(input, context);
    const source = await this.opener.open(access, context.signal);
    const mayName = await this.mayName(input, context);
    const abilities = access.connector.form?.abilities;
    const items: ListedItem[] = [];
    const until = performance.now() + previewMs;
    let cursor: string | null = null;
    do {
      const page = await source.list(cursor);
      items.push(...page.items);
      cursor = page.next;
    } while (cursor !== null && performance.now() < until && items.length < maxCounted);
    const wanted = items.filter(({ skip }) => skip === undefined);
    const sizes = wanted.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]));
    return {
      items: wanted.length,
      bytes: sizes.length === 0 ? null : sizes.reduce((sum, bytes) => sum + bytes, 0),
      skipped: countSkipped(items),
      isComplete: cursor === null && abilities?.discovers !== true,
      examples: wanted
        .slice(0, mayName ? shownExamples : 0)
        .map(({ title, address }) => ({ title: clipText(title, 300), address })),
      permissions: abilities?.permissions ?? false,
      access: await this.countAccess(source, wanted, input.matchAccounts),
    };
  }

  /** The titles that somebody else's credential reads aren't for the caller. */
  private async mayName(draft: Draft, { scope }: RequestContext): Promise<boolean> {
    if (draft.credential !== undefined || draft.connectionId === undefined) return true;
    const saved = await this.connections.findOwn(scope, draft.connectionId);
    return !saved.mirrorPermissions || isOwner(scope, saved);
  }

  private async countAccess(
    source: Source,
    items: readonly ListedItem[],
    matchAccounts: boolean,
  ): Promise<Out<typeof previewConnection>["access"]> {
    if (source.access === undefined || items.length === 0) return null;
    const some = items.slice(0, maxChecked);
    const lists = await readLists(
      source,
      some.map(({ item }) => item),
    );
    const matched = await this.people.match(lists, { mirrorPermissions: true, matchAccounts });
    const readers = lists.map((list) => matched.readersOf(list));
    const restricted = readers.filter((each) => each !== null);
    return {
      checked: lists.length,
      everyone: lists.length - restricted.length,
      restricted: restricted.length,
      people: new Set(restricted.flat()).size,
      unmatched: matched.unmatched,
    };
  }

  private async open(input: Draft, context: RequestContext): Promise<Source> {
    return this.opener.open(await this.read(input, context), context.signal);
  }

  private async read(draft: Draft, { scope }: RequestContext): Promise<SourceAccess> {
    const { connector, settings, credential, connectionId } = draft;
    const saved =
      credential === undefined && connectionId !== undefined
        ? await this.connections.findOwn(scope, connectionId)
        : null;
    const sealed = saved?.sealedCredential ?? null;
    if (saved === null || sealed === null)
      return listed(this.opener.read(connector, settings, credential));
    if (saved.connector !== connector) throw new CarrelError("source.credential-due");
    const access = listed(
      this.opener.read(connector, settings, this.opener.readCredential(sealed)),
    );
    const { originOf } = access.connector;
    if (originOf(access.settings) !== originOf(this.opener.readStored(saved).settings))
      throw new CarrelError("source.credential-due");
    return access;
  }
}

/** Lists of the first items, of as many as can be read in time. */
async function readLists(source: Source, items: readonly unknown[]): Promise<AccessList[]> {
  const lists: AccessList[] = [];
  const isOver = Promise.withResolvers<null>();
  const timer = setTimeout(() => isOver.resolve(null), accessMs);
  try {
    while (lists.length < items.length) {
      const part = source.access!(items.slice(lists.length, lists.length + checkedAtOnce));
      const told = await Promise.race([part, isOver.promise]);
      if (told === null) {
        // Nobody waits for it any more.
        part.catch(() => undefined);
        break;
      }
      lists.push(...told.map((list) => list ?? nobody));
    }
  } finally {
    clearTimeout(timer);
  }
  return lists;
}

/** People can't choose the others. */
function listed(access: SourceAccess): SourceAccess {
  if (access.connector.form === null) throw new CarrelError("source.connector-unknown");
  return access;
}

/** Throws what isn't the source's fault. */
function faultOf(error: unknown): Fault {
  const fault = toSourceFault(error);
  if (!(fault instanceof CarrelError) || fault.code === "source.not-found") throw fault;
  return fault.toFault();
}

function countSkipped(items: readonly ListedItem[]): { fault: Fault; count: number }[] {
  const counts = new Map<string, { fault: Fault; count: number }>();
  for (const { skip } of items) {
    if (skip === undefined) continue;
    const key = JSON.stringify(skip);
    const counted = counts.get(key) ?? { fault: skip, count: 0 };
    counts.set(key, { ...counted, count: counted.count + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count).slice(0, 50);
}
