import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  clearEvents,
  createWorkspace,
  eventLogged,
  eventRetentionLabel,
  exportEventChain,
  getEventLogState,
  listEvents,
  updatePreferences,
  verifyEvents,
  type Out,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import type { EntityManager } from "typeorm";
import { AnchorReconciler } from "../src/audit/audit.module.ts";
import type { AnchorFile } from "../src/audit/chain-export.handler.ts";
import { ChainEvents1795800000000 } from "../src/database/migrations/1795800000000-ChainEvents.ts";
import { signedForm } from "../src/event-chain/export-record.ts";
import { anchorRecord, verifyExport, type ExportReport } from "../src/event-chain/index.ts";
import { createSigningKey, signText } from "../src/event-chain/signing.ts";
import { ChainRepository } from "../src/event/chain.repository.ts";
import { EventLog, EventRepository } from "../src/event/event.repository.ts";
import { SigningKeys } from "../src/event/signing-keys.ts";
import { asOwner } from "./log-owner.ts";
import { person, scopeOf, type WorkspaceInstance } from "./workspace-instance.ts";

const admin = scopeOf(person(1, "admin"));
const today = (): string => new Date().toISOString();
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

export function testChain(instance: () => WorkspaceInstance): void {
  const state = () => instance().request(getEventLogState, {}, admin);
  const verify = () => instance().request(verifyEvents, {}, admin);
  const tell = (times: readonly string[]): Promise<unknown> =>
    Promise.all(
      times.map((occurredAt) =>
        instance().tell(eventLogged, {
          id: randomUUID(),
          event: "login_event",
          userId: 1,
          metadata: { note: "“quoted”\n\\", occurredAt },
          occurredAt,
        }),
      ),
    );
  const tellAndWait = async (times: readonly string[]): Promise<void> => {
    const { sequence } = await state();
    await tell(times);
    await poll(async () => (await state()).sequence).toBe(sequence + times.length);
  };
  async function* exported(): AsyncGenerator<Buffer> {
    let cursor: Out<typeof exportEventChain>["cursor"] = null;
    do {
      const page: Out<typeof exportEventChain> = await instance().request(
        exportEventChain,
        { cursor },
        admin,
      );
      yield Buffer.from(page.lines);
      ({ cursor } = page);
    } while (cursor !== null);
  }
  /** Verifies the export like an auditor: with the key and the anchors from outside. */
  const proveExport = async (): Promise<ExportReport> => {
    const file = join(instance().shared.config.CARREL_HOME, "audit", "anchors.jsonl");
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return verifyExport(exported(), {
      trusted: (await state()).keys.map(({ publicKey, fingerprint }) => ({
        publicKey,
        fingerprint,
      })),
      outsideAnchors: lines.map((line) => anchorRecord.parse(JSON.parse(line))),
    });
  };
  const tamper = (statement: string): Promise<unknown> =>
    asOwner(instance().sql, (sql: EntityManager) => sql.query(statement));

  describe("the chain of the event log", () => {
    it("has no gap and no fork with several writers and replicas", async () => {
      await Promise.all([
        tell(Array.from({ length: 250 }, today)),
        ...Array.from({ length: 15 }, (_, n) =>
          instance().request(createWorkspace, { name: `Chained ${n}` }, admin),
        ),
      ]);
      await poll(async () => (await state()).sequence).toBe(265);
      expect(await verify()).toMatchObject({
        verified: true,
        events: 265,
        first: { sequence: 1 },
        last: { sequence: 265 },
        fault: null,
      });
      expect(await proveExport()).toMatchObject({ events: 265, checkpoints: 0 });
    });

    it("can't be changed by mistake", async () => {
      await tellAndWait([today(), today()]);
      for (const statement of [
        "UPDATE workspace.event_log SET user_id = 2",
        "DELETE FROM workspace.event_log WHERE sequence = 1",
        "TRUNCATE workspace.event_log",
        "UPDATE workspace.event_anchor SET day = day",
        "DELETE FROM workspace.event_anchor",
        `INSERT INTO workspace.event_log (event_id, event, sequence, hash) VALUES ('${randomUUID()}', 'x', 9, '')`,
      ])
        await expect(instance().sql.query(statement)).rejects.toMatchObject({ code: "23000" });
      expect(await verify()).toMatchObject({ verified: true, events: 2 });
    });

    it("shows what the database's owner changed, also in an export", async () => {
      const restore = `UPDATE workspace.event_log SET user_id = 1`;
      await tellAndWait(Array.from({ length: 450 }, today));
      for (const [statement, code, sequence, undo] of [
        [
          "UPDATE workspace.event_log SET user_id = 2 WHERE sequence = 203",
          "changed",
          203,
          restore,
        ],
        [
          `INSERT INTO workspace.event_log (event_id, event) VALUES ('${randomUUID()}', 'x')`,
          "unchained",
          null,
          "DELETE FROM workspace.event_log WHERE sequence IS NULL",
        ],
        ["DELETE FROM workspace.event_log WHERE sequence = 450", "tail", 450, null],
        // The first of the second page.
        ["DELETE FROM workspace.event_log WHERE sequence = 201", "missing", 201, null],
      ] as const) {
        await tamper(statement);
        expect(await verify()).toMatchObject({ verified: false, fault: { code, sequence } });
        if (code !== "unchained")
          await expect(proveExport()).rejects.toMatchObject({ code, sequence });
        if (undo !== null) await tamper(undo);
      }
    });

    it("can't be rewritten behind an anchor, even with new hashes", async () => {
      await tellAndWait(Array.from({ length: 5 }, today));
      const { instance: id, keys, sequence, hash, lastAnchor } = await state();
      const [{ sealed }] = await instance().sql.query<[{ sealed: string }]>(
        "SELECT sealed_private_key AS sealed FROM workspace.event_key",
      );
      const day = new Date(Date.parse(lastAnchor!.day) + 86_400_000).toISOString().slice(0, 10);
      const anchor = { type: "anchor" as const, day, sequence, hash, signedAt: today() };
      const signature = signText(instance().shared.secretBox.open(sealed), signedForm(id, anchor));
      await instance().sql.query(
        `INSERT INTO workspace.event_anchor (day, sequence, hash, signed_at, key, signature)
        VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6)`,
        [day, sequence, hash, anchor.signedAt, keys[0]!.fingerprint, signature],
      );
      await tellAndWait([today()]);
      expect(await proveExport()).toMatchObject({ lastAnchor: { day, sequence: 5 } });
      await tamper(`DO $$ DECLARE last bytea; entry record; BEGIN
        FOR entry IN SELECT * FROM workspace.event_log ORDER BY sequence LOOP
          UPDATE workspace.event_log e SET user_id = 2, previous_hash = coalesce(last, previous_hash)
          WHERE id = entry.id;
          UPDATE workspace.event_log e SET hash = workspace.event_hash(
            sequence, previous_hash, event_id, occurred_at, user_id, event, metadata
          ) WHERE id = entry.id RETURNING hash INTO last;
        END LOOP;
        UPDATE workspace.event_chain SET hash = last;
      END $$`);
      const fault = { code: "anchor", sequence: 5 };
      expect(await verify()).toMatchObject({ verified: false, fault });
      await expect(proveExport()).rejects.toMatchObject(fault);
    });

    it("can't be shortened together with its anchors, which the data folder has copies of", async () => {
      await tellAndWait(Array.from({ length: 5 }, today));
      const { instance: id, keys, sequence, hash, lastAnchor } = await state();
      const [{ sealed }] = await instance().sql.query<[{ sealed: string }]>(
        "SELECT sealed_private_key AS sealed FROM workspace.event_key",
      );
      const day = new Date(Date.parse(lastAnchor!.day) + 86_400_000).toISOString().slice(0, 10);
      const anchor = { type: "anchor" as const, day, sequence, hash, signedAt: today() };
      const signature = signText(instance().shared.secretBox.open(sealed), signedForm(id, anchor));
      const file = join(instance().shared.config.CARREL_HOME, "audit", "anchors.jsonl");
      const copied = readFileSync(file, "utf8");
      appendFileSync(
        file,
        `not an anchor\n${JSON.stringify({ ...anchor, key: keys[0]!.fingerprint, signature })}\n`,
      );
      // Looks as if that anchor had been removed, and then the entries it covers.
      expect(await verify()).toMatchObject({ fault: { code: "anchor-missing", sequence: 5 } });
      await tamper(`DO $$ BEGIN
        DELETE FROM workspace.event_log WHERE sequence > 3;
        UPDATE workspace.event_chain SET sequence = 3,
          hash = (SELECT hash FROM workspace.event_log WHERE sequence = 3);
      END $$`);
      expect(await verify()).toMatchObject({ fault: { code: "outside-anchor", sequence: 4 } });
      // Nobody knows whether a copy with a wrong signature was real.
      const forged = Buffer.alloc(64).toString("base64");
      writeFileSync(
        file,
        `${copied}${JSON.stringify({ ...anchor, key: keys[0]!.fingerprint, signature: forged })}\n`,
      );
      expect(await verify()).toMatchObject({
        verified: false,
        fault: { code: "outside-key" },
        unknownAnchors: { count: 1, days: [day] },
      });
      writeFileSync(file, copied);
      expect(await verify()).toMatchObject({ verified: true, events: 3 });
    });

    it("can't be shortened together with its anchors and the keys that signed them", async () => {
      await tellAndWait(Array.from({ length: 5 }, today));
      const { lastAnchor } = await state();
      const tables = ["event_key", "event_anchor"];
      for (const table of tables)
        await tamper(`CREATE TABLE workspace.kept_${table} AS SELECT * FROM workspace.${table}`);
      await tamper(`DO $$ BEGIN
        DELETE FROM workspace.event_key;
        DELETE FROM workspace.event_anchor;
        DELETE FROM workspace.event_log WHERE sequence > 3;
        UPDATE workspace.event_chain SET sequence = 3,
          hash = (SELECT hash FROM workspace.event_log WHERE sequence = 3);
      END $$`);
      const refused = {
        verified: false,
        anchors: 0,
        fault: {
          code: "outside-key",
          sequence: null,
          reason: expect.stringContaining(
            `1 anchor (${lastAnchor!.day}) that none of the log's keys`,
          ),
        },
        unknownAnchors: { count: 1, days: [lastAnchor!.day] },
      };
      expect(await verify()).toMatchObject(refused);
      // Nor with a public key of the thief under the old fingerprint.
      await tamper(
        `INSERT INTO workspace.event_key SELECT fingerprint, '${createSigningKey().publicKey}',
        sealed_private_key, created_at FROM workspace.kept_event_key`,
      );
      expect(await verify()).toMatchObject(refused);
      await tamper(`DELETE FROM workspace.event_key`);
      for (const table of tables) {
        await tamper(`INSERT INTO workspace.${table} SELECT * FROM workspace.kept_${table}`);
        await tamper(`DROP TABLE workspace.kept_${table}`);
      }
    });

    it("gets the anchor of a day that Carrel stopped at the beginning of", async () => {
      const { sql, shared } = instance();
      const { instance: id, keys, hash } = await state();
      const [{ sealed }] = await sql.query<[{ sealed: string }]>(
        "SELECT sealed_private_key AS sealed FROM workspace.event_key",
      );
      const [day, signedAt] = [daysAgo(2).slice(0, 10), daysAgo(2)];
      const anchor = { type: "anchor" as const, day, sequence: 0, hash, signedAt };
      const signature = signText(shared.secretBox.open(sealed), signedForm(id, anchor));
      await tamper(`CREATE TABLE workspace.kept AS SELECT * FROM workspace.event_anchor`);
      await tamper(`DELETE FROM workspace.event_anchor`);
      await sql.query(
        `INSERT INTO workspace.event_anchor (day, sequence, hash, signed_at, key, signature)
        VALUES ($1, 0, decode($2, 'hex'), $3, $4, $5)`,
        [day, hash, signedAt, keys[0]!.fingerprint, signature],
      );
      await tellAndWait([daysAgo(1)]);
      expect(await verify()).toMatchObject({ fault: { code: "anchor-missing", sequence: 1 } });
      const reconciler = new AnchorReconciler(
        sql,
        new ChainRepository(sql),
        new SigningKeys(shared.secretBox, new EventLog(new EventRepository(sql))),
        { append: () => Promise.resolve() } as Partial<AnchorFile> as AnchorFile,
      );
      await reconciler.onApplicationBootstrap();
      await tellAndWait([today()]);
      expect(await verify()).toMatchObject({ verified: true, events: 2, fault: null });
      await tamper(`DELETE FROM workspace.event_anchor`);
      await tamper(`INSERT INTO workspace.event_anchor SELECT * FROM workspace.kept`);
      await tamper(`DROP TABLE workspace.kept`);
    });

    it("begins at a signed checkpoint after the log was cleared", async () => {
      await tellAndWait([today(), today()]);
      await instance().request(clearEvents, {}, admin);
      await instance().request(clearEvents, {}, admin);
      await tellAndWait([today()]);
      expect(await verify()).toMatchObject({
        verified: true,
        events: 2,
        checkpoints: 2,
        first: { sequence: 4 },
      });
      expect(await proveExport()).toMatchObject({
        events: 2,
        lastCheckpoint: { reason: "cleared", sequence: 3 },
      });
      expect((await state()).checkpoint).toMatchObject({ reason: "cleared", sequence: 3 });
    });

    it("loses whole days at the end of the retention, but never what doesn't verify", async () => {
      const keep = (days: unknown) =>
        instance().request(
          updatePreferences,
          { preferences: { [eventRetentionLabel]: days } },
          admin,
        );
      await tellAndWait([daysAgo(40), daysAgo(35)]);
      await tellAndWait([daysAgo(20)]);
      await tellAndWait([today()]);
      await keep("x");
      expect((await state()).retentionDays).toBeNull();
      await keep(30);
      await poll(async () => (await state()).checkpoint).toMatchObject({
        reason: "retention",
        sequence: 2,
      });
      const { logs } = await instance().request(listEvents, {}, admin);
      const pruned = logs.find(({ event }) => event === "event_logs_pruned");
      expect(JSON.parse(pruned!.metadata!)).toMatchObject({ removed: 2, by: "service" });
      expect(await verify()).toMatchObject({ verified: true, first: { sequence: 3 } });
      expect(await proveExport()).toMatchObject({ first: { sequence: 3 }, checkpoints: 1 });

      await tamper("UPDATE workspace.event_log SET user_id = 2 WHERE sequence = 3");
      await keep(10);
      await poll(async () =>
        (await instance().request(listEvents, {}, admin)).logs.map(({ event }) => event),
      ).toContain("event_log_damaged");
      await keep(null);
      expect(await verify()).toMatchObject({ fault: { code: "changed", sequence: 3 } });
      expect((await state()).retentionDays).toBeNull();
    });

    it("continues with a new key if the instance secret is lost", async () => {
      await tellAndWait([today()]);
      const [old] = (await state()).keys;
      await tamper("UPDATE workspace.event_key SET sealed_private_key = 'v1:0:0:0:0'");
      await instance().request(clearEvents, {}, admin);
      const { keys } = await state();
      expect(keys).toHaveLength(2);
      const { logs } = await instance().request(listEvents, {}, admin);
      const replaced = logs.find(({ event }) => event === "event_log_key_replaced");
      expect(JSON.parse(replaced!.metadata!)).toMatchObject({
        fingerprint: keys[1]!.fingerprint,
        previous: old!.fingerprint,
      });
      expect(await proveExport()).toMatchObject({ checkpoints: 1 });
      await expect(verifyExport(exported(), { trusted: [old!] })).rejects.toMatchObject({
        code: "key",
      });
    });

    it("includes entries from before it was a chain", async () => {
      const runner = instance().sql.createQueryRunner();
      const [{ owner }] = await instance().sql.query<[{ owner: string }]>(
        `SELECT tableowner AS owner FROM pg_tables WHERE tablename = 'event_log'`,
      );
      await runner.startTransaction();
      await runner.query(`SET LOCAL ROLE "${owner}"`);
      const migration = new ChainEvents1795800000000();
      await migration.down(runner);
      await runner.query(
        `INSERT INTO workspace.event_log (event_id, event, user_id, metadata)
        SELECT gen_random_uuid(), 'login_event', n, jsonb_build_object('n', n)
        FROM generate_series(1, 1000) AS n`,
      );
      await migration.up(runner);
      await runner.commitTransaction();
      await runner.release();
      // The chain that the migration begins has another instance and no keys yet.
      rmSync(join(instance().shared.config.CARREL_HOME, "audit", "anchors.jsonl"));
      await tellAndWait([today()]);
      expect(await verify()).toMatchObject({ verified: true, events: 1_001, fault: null });
    });
  });
}
