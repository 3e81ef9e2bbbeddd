import { Readable } from "node:stream";
import {
  CarrelError,
  createConnection,
  getConnection,
  importOnce,
  getImport,
  listSourceItems,
  previewConnection,
  startRun,
  updateConnection,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import { defineConnector, type AccessList } from "../connector/connector.ts";
import { ConnectorRegistry } from "../registry/connector-registry.ts";

/** The source: what it says of its items now. */
const vault = {
  lists: new Map<string, AccessList>(),
  texts: new Map<string, string>(),
  fault: null as CarrelError | null,
  /** Called with the items that are asked for. */
  before: null as ((names: string[]) => Promise<void> | void) | null,
};
const connector = defineConnector({
  id: "vault",
  form: {
    label: "Vault",
    description: "A source that tells who may see its items",
    fields: [],
    credentialFields: [],
    abilities: { permissions: true, changes: false, discovers: false },
  },
  settings: z.object({}),
  credential: z.object({}),
  item: z.object({ name: z.string() }),
  nameOf: () => "Vault",
  originOf: () => "https://vault.test",
  open: () =>
    Promise.resolve({
      limits: { parallel: 2, maxDocuments: 100, maxItems: 100 },
      check: () => Promise.resolve(),
      list: () =>
        Promise.resolve({
          items: [...vault.texts.keys()].map((name) => ({
            externalId: name,
            item: { name },
            title: `Title of ${name}`,
            address: `https://vault.test/${name}`,
          })),
          next: null,
        }),
      fetch: ({ name }) =>
        Promise.resolve({
          kind: "document",
          body: Readable.from([vault.texts.get(name)!]),
          filename: `${name}.txt`,
          mime: "text/plain",
          source: { kind: "connector", connector: "vault", reference: name },
          metadata: { title: `Title of ${name}` },
          ...(vault.lists.has(name) && { access: vault.lists.get(name)! }),
        }),
      access: async (items: readonly { name: string }[]) => {
        const lists = items.map(({ name }) => vault.lists.get(name) ?? null);
        await vault.before?.(items.map(({ name }) => name));
        if (vault.fault !== null) throw vault.fault;
        return lists;
      },
    }),
});

const workspace = { id: 7, slug: "field-notes" };
const as = (userId: number, role: Principal["role"] = "manager"): Scope => ({
  principal: { kind: "user", userId, role },
  workspace,
});
const importer = as(1);
const slug = workspace.slug;
let connectors: TestConnectors;

/* Nothing else lists connectors, so a test's own is found where all are looked up. */
const { get } = ConnectorRegistry.prototype;
beforeAll(async () => {
  ConnectorRegistry.prototype.get = function (id) {
    return id === connector.id ? connector : get.call(this, id);
  };
  connectors = await startTestConnectors((_request, response) => response.end(), {
    reconcileMs: 200,
  });
}, 60_000);
afterAll(async () => {
  ConnectorRegistry.prototype.get = get;
  await connectors?.stop();
});

beforeEach(() => {
  vault.fault = null;
  vault.before = null;
  connectors.beforeAccess.call = null;
  connectors.loseReplies(null);
  vault.texts = new Map(["plan", "open", "locked", "odd"].map((name) => [name, `Text of ${name}`]));
  vault.lists = new Map<string, AccessList>([
    [
      "plan",
      { emails: ["Ann@Example.com", "gone@example.com"], accounts: ["a.smith", "bob", "gone"] },
    ],
    ["open", "everyone"],
    ["locked", { emails: [], accounts: [] }],
  ]);
  connectors.people.splice(
    0,
    Infinity,
    { id: 2, email: "ann@example.com", username: "ann" },
    { id: 3, email: null, username: "bob" },
  );
});

async function connect(more: Record<string, unknown> = {}): Promise<string> {
  const { connection } = await connectors.request(
    createConnection,
    { slug, connector: "vault", settings: {}, ...more },
    importer,
  );
  await finished(connection.id);
  return connection.id;
}
const finished = (connectionId: string) =>
  poll(async () => {
    const { connection } = await connectors.request(
      getConnection,
      { slug, connectionId },
      importer,
    );
    return connection.run?.state;
  }).toBe("finished");

/** The readers of each item's document. */
async function readers(connectionId: string): Promise<Record<string, number[] | null>> {
  const { items } = await connectors.request(
    listSourceItems,
    { slug, connectionId, limit: 50 },
    importer,
  );
  return Object.fromEntries(
    items.map(({ id, documentId }) => [id, connectors.readers.get(documentId!) ?? null]),
  );
}
const checkNow = (id: string, more = "access_ask_at = NULL") =>
  connectors.sql(
    `UPDATE connectors.connection SET access_due_at = now(), ${more} WHERE id = '${id}'`,
  );
/** When the source is asked again and when people are matched again, in minutes, and failures. */
const planOf = async (id: string) => {
  const [row] = await connectors.sql<{ ask: number | null; due: number; failures: number }>(
    `SELECT round(extract(epoch FROM access_ask_at - now()) / 60)::int AS ask,
      round(extract(epoch FROM access_due_at - now()) / 60)::int AS due,
      access_failures AS failures
    FROM connectors.connection WHERE id = '${id}'`,
  );
  return row;
};
const failing = new CarrelError("source.failing", { host: "vault.test", status: 500 });
const matched = { plan: [2], open: null, locked: [], odd: [] };

describe("a source that tells who may see its items", () => {
  it("registers each document for those people from the first moment on", async () => {
    const id = await connect();
    expect(await readers(id)).toEqual(matched);
    const ofPlan = connectors.registrations.find(({ input }) => input.filename === "plan.txt");
    expect(ofPlan!.input.access).toEqual({ readers: [2] });
    expect(ofPlan!.context.scope.principal.userId).toBe(1);
  });

  it("applies the list of now to a document whose registration got no reply", async () => {
    vault.texts = new Map([["plan", "Text of plan"]]);
    vault.lists.set("plan", "everyone");
    const { registrations } = connectors;
    const before = registrations.length;
    connectors.loseReplies(new CarrelError("request.queue-full"));
    const { connection } = await connectors.request(
      createConnection,
      { slug, connector: "vault", settings: {} },
      importer,
    );
    await poll(() => registrations.length).toBeGreaterThan(before);
    vault.lists.set("plan", { emails: ["ann@example.com"], accounts: [] });
    connectors.loseReplies(null);
    await finished(connection.id);
    expect(await readers(connection.id)).toEqual({ plan: [2] });
  });

  it("takes account names for usernames only if told to", async () => {
    const id = await connect({ matchAccounts: true });
    expect(await readers(id)).toEqual({ ...matched, plan: [2, 3] });
  });

  it("restricts nothing without mirroring, nor what existing clients import", async () => {
    const id = await connect({ mirrorPermissions: false });
    expect(new Set(Object.values(await readers(id)))).toEqual(new Set([null]));
    const { runId } = await connectors.request(
      importOnce,
      { connector: "vault", settings: {}, embed: false },
      importer,
    );
    await poll(
      async () => (await connectors.request(getImport, { runId }, importer)).run.state,
    ).toBe("finished");
    const { documentIds } = await connectors.request(getImport, { runId }, importer);
    expect(documentIds.map((documentId) => connectors.readers.get(documentId))).toEqual(
      documentIds.map(() => null),
    );
  });

  it("shows what isn't known yet to the importer only, once permissions are mirrored", async () => {
    const { lists } = vault;
    vault.lists = new Map();
    const id = await connect({ mirrorPermissions: false });
    vault.lists = lists;
    vault.fault = failing;
    await connectors.request(
      updateConnection,
      { slug, connectionId: id, mirrorPermissions: true },
      as(4),
    );
    await poll(() => readers(id)).toEqual({ plan: [], open: [], locked: [], odd: [] });
    vault.fault = null;
    await checkNow(id);
    await poll(() => readers(id)).toEqual(matched);
  });

  it("takes access away within the hour, without fetching anything again", async () => {
    const id = await connect();
    const registered = connectors.registrations.length;
    vault.lists.set("plan", { emails: [], accounts: [] });
    vault.lists.set("open", { emails: ["ann@example.com"], accounts: [] });
    vault.lists.set("locked", "everyone");
    await checkNow(id);
    await poll(() => readers(id)).toEqual({ plan: [], open: [2], locked: null, odd: [] });
    expect(connectors.registrations).toHaveLength(registered);
    await poll(
      async () =>
        (await connectors.request(getConnection, { slug, connectionId: id }, importer)).connection,
    ).toMatchObject({ accessCheckedAt: expect.any(String), accessFault: null });
  });

  it("matches people anew, also while the source can't be asked, and backs off then", async () => {
    const id = await connect();
    vault.fault = failing;
    connectors.people.splice(0, 1);
    connectors.people.push({ id: 9, email: "gone@example.com", username: "new" });
    await checkNow(id);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [9] });
    await poll(() => planOf(id)).toEqual({ ask: 60, due: 60, failures: 1 });
    connectors.people.push({ id: 8, email: "ann@example.com", username: "ann" });
    await checkNow(id, "name = name");
    await poll(() => readers(id)).toEqual({ ...matched, plan: [8, 9] });
    await poll(() => planOf(id)).toEqual({ ask: 60, due: 60, failures: 1 });
    // An outage is no refusal, however long it takes.
    await checkNow(id, "access_ask_at = NULL, access_refused_since = now() - interval '9 days'");
    await poll(() => planOf(id)).toEqual({ ask: 120, due: 60, failures: 2 });
    expect(await readers(id)).toEqual({ ...matched, plan: [8, 9] });
  });

  it("takes what it told for unknown once it has refused to tell for a day", async () => {
    const id = await connect();
    vault.fault = new CarrelError("source.denied", { host: "vault.test", status: 401 });
    await checkNow(id);
    await poll(() => planOf(id)).toMatchObject({ failures: 1 });
    expect(await readers(id)).toEqual(matched);
    await checkNow(id, "access_ask_at = NULL, access_refused_since = now() - interval '25 hours'");
    await poll(() => readers(id)).toEqual({ plan: [], open: [], locked: [], odd: [] });
    vault.fault = null;
    await checkNow(id);
    await poll(() => readers(id)).toEqual(matched);
  });

  it("goes on where the source asked to wait, without counting that as a failure", async () => {
    const names = Array.from({ length: 60 }, (_, n) => `page ${String(n).padStart(2, "0")}`);
    vault.texts = new Map(names.map((name) => [name, name]));
    vault.lists = new Map(names.map((name) => [name, "everyone"]));
    const id = await connect();
    for (const name of names) vault.lists.set(name, { emails: [], accounts: [] });
    let isBusy = true;
    const asked: string[] = [];
    vault.before = (some) => {
      if (isBusy && some.includes("page 55"))
        throw new CarrelError("source.busy", { host: "vault.test" }, { retryAfter: 180 });
      asked.push(...some);
    };
    await checkNow(id);
    await poll(() => planOf(id)).toEqual({ ask: null, due: 3, failures: 0 });
    const closed = async () =>
      [...connectors.readers.values()].filter((list) => list?.length === 0).length;
    const before = await closed();
    isBusy = false;
    await checkNow(id);
    await poll(() => planOf(id)).toEqual({ ask: null, due: 60, failures: 0 });
    expect((await closed()) - before).toBe(10);
    expect(asked).toEqual(names);
  });

  it("shows a single item whose list can't be read to the importer, and reads the others", async () => {
    const id = await connect();
    vault.lists.set("locked", "everyone");
    vault.before = (names) => {
      if (names.includes("plan")) throw failing;
    };
    await checkNow(id);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [], locked: null });
    expect(await planOf(id)).toMatchObject({ failures: 0 });
  });

  it("asks for all again after an item on a page of its own that never can be read", async () => {
    const names = Array.from({ length: 51 }, (_, n) => `page ${String(n).padStart(2, "0")}`);
    vault.texts = new Map(names.map((name) => [name, name]));
    vault.lists = new Map(names.map((name) => [name, "everyone"]));
    const id = await connect();
    vault.before = (some) => {
      if (some.includes("page 50")) throw failing;
    };
    const stuck = "access_ask_at = NULL, access_cursor = 'page 49'";
    await checkNow(id, stuck);
    await poll(() => planOf(id)).toMatchObject({ failures: 1 });
    const closed = async () => {
      const rows = await connectors.sql<{ key: string }>(
        `SELECT key FROM connectors.source_item
        WHERE connection_id = '${id}' AND audience = '' ORDER BY key`,
      );
      return rows.map(({ key }) => key);
    };
    vault.lists.set("page 00", { emails: [], accounts: [] });
    await checkNow(id);
    await poll(closed).toEqual(["page 00", "page 50"]);
    await poll(() => planOf(id)).toMatchObject({ failures: 0 });
    // Other rules are asked for from the first item on, too.
    vault.lists.set("page 01", { emails: [], accounts: [] });
    await connectors.sql(
      `UPDATE connectors.connection SET access_cursor = 'page 49' WHERE id = '${id}'`,
    );
    await connectors.request(
      updateConnection,
      { slug, connectionId: id, matchAccounts: true },
      importer,
    );
    await poll(closed).toEqual(["page 00", "page 01", "page 50"]);
  });

  it("leaves a check to another one that took its place, within minutes", async () => {
    const id = await connect();
    const isAsked = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    vault.before = () => {
      vault.before = null;
      isAsked.resolve();
      return slow.promise;
    };
    await checkNow(id);
    await isAsked.promise;
    expect((await planOf(id))!.due).toBe(10);
    vault.lists.set("plan", "everyone");
    await checkNow(id);
    await poll(() => readers(id)).toEqual({ ...matched, plan: null });
    vault.lists.set("open", { emails: [], accounts: [] });
    slow.resolve();
    await checkNow(id);
    await poll(() => readers(id)).toEqual({ ...matched, plan: null, open: [] });
  });

  it("doesn't let an older list win that is told while an import tells a newer one", async () => {
    const id = await connect();
    const isTold = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    vault.lists.set("plan", "everyone");
    connectors.beforeAccess.call = (list) => {
      if (list !== null) return;
      isTold.resolve();
      return slow.promise;
    };
    await checkNow(id);
    await isTold.promise;
    vault.lists.set("plan", { emails: [], accounts: [] });
    vault.texts.set("plan", "Another text");
    await connectors.request(startRun, { slug, connectionId: id }, importer);
    await finished(id);
    expect(await readers(id)).toEqual({ ...matched, plan: [] });
    // What the check says reaches ingest last.
    slow.resolve();
    await poll(() => readers(id)).toEqual({ ...matched, plan: null });
    vault.fault = failing;
    await checkNow(id);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [] });
  });

  it("tells the newer list again at once if a check that lost its place tells last", async () => {
    const id = await connect();
    const isTold = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const told: (number[] | null)[] = [];
    vault.lists.set("plan", "everyone");
    connectors.beforeAccess.call = (list) => {
      told.push(list);
      if (list !== null) return;
      isTold.resolve();
      return slow.promise;
    };
    await checkNow(id);
    await isTold.promise;
    vault.lists.set("plan", { emails: [], accounts: [] });
    await checkNow(id);
    await poll(() => planOf(id)).toMatchObject({ due: 60 });
    slow.resolve();
    await poll(() => told).toEqual([null, [], []]);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [] });
  });

  it("applies another list with the next import, whether or not the text changed", async () => {
    const id = await connect();
    vault.lists.set("plan", { emails: ["nobody@example.com"], accounts: [] });
    vault.lists.set("open", { emails: ["ann@example.com"], accounts: [] });
    vault.texts.set("open", "Another text");
    await connectors.request(startRun, { slug, connectionId: id }, importer);
    await finished(id);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [], open: [2] });
  });

  it("lets only its owner open documents to others", async () => {
    const id = await connect();
    const change = (more: Record<string, unknown>, scope: Scope) =>
      connectors.request(updateConnection, { slug, connectionId: id, ...more }, scope);
    for (const more of [{ mirrorPermissions: false }, { matchAccounts: true }])
      for (const scope of [as(5, "admin"), as(4)])
        await expect(change(more, scope)).rejects.toMatchObject({
          code: "source.permissions-of-another",
        });
    await change({ matchAccounts: true }, importer);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [2, 3] });
    // Narrower again: anybody who manages the source may.
    await change({ matchAccounts: false }, as(4));
    await poll(() => readers(id)).toEqual(matched);
    await change({ mirrorPermissions: false }, importer);
    await poll(() => readers(id)).toEqual({ plan: null, open: null, locked: null, odd: null });
  });

  it("names its items only to those who may see their documents", async () => {
    const id = await connect();
    const names = async (scope: Scope) =>
      (
        await connectors.request(listSourceItems, { slug, connectionId: id, limit: 50 }, scope)
      ).items.map(({ title }) => title);
    const all = ["Title of plan", "Title of open", "Title of locked", "Title of odd"];
    expect((await names(importer)).toSorted()).toEqual(all.toSorted());
    expect(await names(as(2))).toEqual(
      (await names(importer)).map((title) => (/locked|odd/.test(title) ? "" : title)),
    );
    const others = (await names(as(5, "admin"))).filter((title) => title !== "");
    expect(others.toSorted()).toEqual(["Title of open"]);
  });

  it("says what mirroring would do before anything is fetched", async () => {
    const draft = { slug, connector: "vault", settings: {}, credential: {} };
    const { access, permissions } = await connectors.request(previewConnection, draft, importer);
    expect(permissions).toBe(true);
    expect(access).toEqual({ checked: 4, everyone: 1, restricted: 3, people: 1, unmatched: 2 });
    const matching = await connectors.request(
      previewConnection,
      { ...draft, matchAccounts: true },
      importer,
    );
    expect(matching.access).toMatchObject({ people: 2, unmatched: 1 });
  });
});
