import { CarrelError, getConnection, startRun, updateConnection } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import {
  checkNow,
  connect,
  connectors,
  failing,
  finished,
  importer,
  matched,
  planOf,
  readers,
  slug,
  useVault,
  vault,
} from "./vault.fixture.ts";

useVault();

describe("the hourly question who may see the items of a source", () => {
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
});
