import { Readable } from "node:stream";
import {
  CarrelError,
  createConnection,
  getConnection,
  listSourceItems,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { z } from "zod";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import { defineConnector, type AccessList } from "../connector/connector.ts";
import { ConnectorRegistry } from "../registry/connector-registry.ts";

/** The source: what it says of its items now. */
export const vault = {
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
export const as = (userId: number, role: Principal["role"] = "manager"): Scope => ({
  principal: { kind: "user", userId, role },
  workspace,
});
export const importer = as(1);
export const slug = workspace.slug;
/** Set before the tests of the file that called `useVault`. */
export let connectors: TestConnectors;

/* Nothing else lists connectors, so a test's own is found where all are looked up. */
const { get } = ConnectorRegistry.prototype;
/** Registers the hooks of a test file: one instance, and a fresh source for each test. */
export function useVault(): void {
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
    vault.texts = new Map(
      ["plan", "open", "locked", "odd"].map((name) => [name, `Text of ${name}`]),
    );
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
}

export async function connect(more: Record<string, unknown> = {}): Promise<string> {
  const { connection } = await connectors.request(
    createConnection,
    { slug, connector: "vault", settings: {}, ...more },
    importer,
  );
  await finished(connection.id);
  return connection.id;
}
export const finished = (connectionId: string) =>
  poll(async () => {
    const { connection } = await connectors.request(
      getConnection,
      { slug, connectionId },
      importer,
    );
    return connection.run?.state;
  }).toBe("finished");

/** The readers of each item's document. */
export async function readers(connectionId: string): Promise<Record<string, number[] | null>> {
  const { items } = await connectors.request(
    listSourceItems,
    { slug, connectionId, limit: 50 },
    importer,
  );
  return Object.fromEntries(
    items.map(({ id, documentId }) => [id, connectors.readers.get(documentId!) ?? null]),
  );
}
export const checkNow = (id: string, more = "access_ask_at = NULL") =>
  connectors.sql(
    `UPDATE connectors.connection SET access_due_at = now(), ${more} WHERE id = '${id}'`,
  );
/** When the source is asked again and when people are matched again, in minutes, and failures. */
export const planOf = async (id: string) => {
  const [row] = await connectors.sql<{ ask: number | null; due: number; failures: number }>(
    `SELECT round(extract(epoch FROM access_ask_at - now()) / 60)::int AS ask,
      round(extract(epoch FROM access_due_at - now()) / 60)::int AS due,
      access_failures AS failures
    FROM connectors.connection WHERE id = '${id}'`,
  );
  return row;
};
export const failing = new CarrelError("source.failing", { host: "vault.test", status: 500 });
export const matched = { plan: [2], open: null, locked: [], odd: [] };
