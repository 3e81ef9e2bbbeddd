import { mock } from "node:test";
import { instancePrincipal, type In, type checkConnection } from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import type { RequestContext } from "@carrel/messaging";
import { expect, it } from "@jest/globals";
import { z } from "zod";
import type { Connection } from "../connection/connection.entity.ts";
import type { ConnectionRepository } from "../connection/connection.repository.ts";
import { defineConnector, type AccessList, type ListedItem } from "../connector/connector.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import type { ConnectorRegistry } from "../registry/connector-registry.ts";
import type { PeopleMatcher } from "../run/people-matcher.ts";
import { SourceOpener } from "../run/source-opener.ts";
import { DraftHandler } from "./draft.handler.ts";

/** What the source lists and tells of its readers. */
let listed: ListedItem<Record<string, never>>[] = [];
let answer: (count: number) => Promise<AccessList[]> = () => Promise.resolve([]);

/** Keys that the source was opened with. */
const opened: string[] = [];
const connector = defineConnector({
  id: "vault",
  form: {
    label: "Vault",
    description: "Needs a key.",
    fields: [],
    credentialFields: [],
    abilities: { permissions: true, changes: false, discovers: false },
  },
  settings: z.object({ url: z.url() }),
  credential: z.object({ key: z.string() }),
  item: z.object({}),
  nameOf: ({ url }) => url,
  originOf: ({ url }) => new URL(url).origin,
  open(_settings, { key }) {
    opened.push(key);
    return Promise.resolve({
      limits: { parallel: 1, maxDocuments: 1, maxItems: 1 },
      check: () => Promise.resolve(),
      list: () => Promise.resolve({ items: listed, next: null }),
      access: (items: readonly object[]) => answer(items.length),
      fetch: () => Promise.resolve({ kind: "unchanged" as const }),
    });
  },
});

const opener = new SourceOpener(
  {
    CARREL_HOME: "/nowhere",
    CARREL_LINK_ALLOW: [],
    CARREL_LINK_MAX_BYTES: 1_000,
    CARREL_SOURCE_FOLDERS: [],
  } as unknown as ConnectorsConfig,
  { get: () => connector } as unknown as ConnectorRegistry,
  new SecretBox(Buffer.alloc(32, 1)),
);
const context = {
  scope: { principal: instancePrincipal, workspace: { id: 7, slug: "field-notes" } },
  signal: new AbortController().signal,
} as unknown as RequestContext;

it("tries a source with its saved credential, at the server it was saved for only", async () => {
  const saved = {
    connector: "vault",
    settings: { url: "https://vault.example.com/a" },
    sealedCredential: opener.seal({ key: "k1" }),
  } as unknown as Connection;
  const handler = new DraftHandler(
    { findOwn: () => Promise.resolve(saved) } as unknown as ConnectionRepository,
    opener,
    // Only a preview asks for people.
    {} as PeopleMatcher,
  );
  const check = (draft: Partial<In<typeof checkConnection>>) =>
    handler.check(
      { slug: "field-notes", connector: "vault", settings: saved.settings, ...draft },
      context,
    );
  const connectionId = "6f9a35c5-2df3-4c4e-9d0e-5a9d1c1c2b11";
  expect(await check({ connectionId })).toEqual({ success: true, fault: null });
  expect(await check({ connectionId, credential: { key: "k2" } })).toMatchObject({ success: true });
  expect(opened).toEqual(["k1", "k2"]);
  expect(
    await check({ connectionId, settings: { url: "https://other.example.com/a" } }),
  ).toMatchObject({ fault: { code: "source.credential-due" } });
  expect(await check({})).toMatchObject({ fault: { code: "source.setting-invalid" } });
  expect(opened).toHaveLength(2);
});

it("previews as many lists of readers as can be read in time", async () => {
  const everyone = {
    match: () => Promise.resolve({ readersOf: () => null, unmatched: 0 }),
  } as unknown as PeopleMatcher;
  const handler = new DraftHandler({} as ConnectionRepository, opener, everyone);
  listed = Array.from({ length: 40 }, (_, n) => ({
    externalId: String(n),
    item: {},
    title: `Item ${n}`,
    address: `https://vault.example.com/${n}`,
  }));
  const isStuck = Promise.withResolvers<void>();
  let told = 0;
  answer = (count) => {
    if (told === 20) {
      isStuck.resolve();
      return new Promise(() => undefined);
    }
    told += count;
    return Promise.resolve(Array.from({ length: count }, () => "everyone"));
  };
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const preview = handler.preview(
      {
        slug: "field-notes",
        connector: "vault",
        settings: { url: "https://vault.example.com/a" },
        credential: { key: "k1" },
        matchAccounts: false,
      },
      context,
    );
    await isStuck.promise;
    mock.timers.tick(30_000);
    expect(await preview).toMatchObject({ items: 40, access: { checked: 20, everyone: 20 } });
  } finally {
    mock.timers.reset();
  }
});
