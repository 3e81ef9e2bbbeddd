import { randomUUID } from "node:crypto";
import { instancePrincipal } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import { noTokens } from "@carrel/providers";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import type { DataSource } from "typeorm";
import { chatDatabase } from "../chat.database.ts";
import { Replica } from "../replica/replica.ts";
import { describeUse } from "../usage/usage-record.ts";
import { buildNewSteps } from "./new-steps.ts";
import { RunLostError, RunStepRepository, type StoredStep } from "./run-step.repository.ts";

const replica = new Replica();
const workspaceId = 1;

let database: TestDatabase;
let dataSource: DataSource;
let repository: RunStepRepository;
let place: { turnId: number; threadId: number };

beforeAll(async () => {
  database = await testDatabase();
  await migrate(database.url, chatDatabase);
  dataSource = await createDataSource(database.url, chatDatabase, { poolSize: 5 }).initialize();
  // Off in tests.
  await dataSource.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database());
  END $$`);
  await dataSource.destroy();
  await dataSource.initialize();
  repository = new RunStepRepository(dataSource, replica);
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});
/** A running answer. */
beforeEach(async () => {
  const [asked] = await dataSource.query<{ turnId: number; threadId: number }[]>(
    `WITH place AS (
      INSERT INTO chat.thread (workspace_id, slug, name) VALUES ($1, $2, 'Thread') RETURNING id
    ),
    asked AS (
      INSERT INTO chat.turn (thread_id, workspace_id, question, state)
      SELECT id, $1, 'Why?', 'running' FROM place
      RETURNING id, thread_id
    )
    INSERT INTO chat.generation (id, turn_id, thread_id, workspace_id, state, scope, lease_owner)
    SELECT $3, id, thread_id, $1, 'running', '{}', $4 FROM asked
    RETURNING turn_id AS "turnId", thread_id AS "threadId"`,
    [workspaceId, randomUUID(), randomUUID(), replica.id],
  );
  place = asked!;
});

const calls = [{ id: "call_1", name: "look", input: "{}" }];
const steps = buildNewSteps(
  {
    reply: { reason: "tool-calls", usage: null, hasAnswer: false, calls, parts: [] },
    calls,
    written: { text: "", reasoning: [], lacksOpeningTag: false },
    tokens: noTokens,
  },
  { position: 1, id: 1, at: 0, skillOf: () => "test" },
);
const [, made] = steps as [StoredStep, Extract<StoredStep, { kind: "tool" }>];
const ended = { ...made.result, text: "Nothing." };

const add = (): Promise<void> =>
  repository.add(place.turnId, steps, {
    place: { ...place, workspaceId, userId: null },
    use: describeUse({
      purpose: "answer",
      state: "done",
      principal: instancePrincipal,
      provider: "fake",
      model: "fake-model",
      findPrice: () => null,
      tokens: { ...noTokens, input: 7 },
      firstTokenMs: null,
      milliseconds: 1,
    }),
  });

it("a reply is recorded with what it used, which counts even if the answer was taken over", async () => {
  await add();
  await expect(add()).rejects.toThrow(RunLostError);
  expect(await repository.load(place.turnId)).toHaveLength(2);
  expect(
    await dataSource.query(
      `SELECT thread_id AS "threadId", input_tokens AS input FROM chat.model_usage WHERE turn_id = $1`,
      [place.turnId],
    ),
  ).toEqual([1, 2].map(() => ({ threadId: place.threadId, input: 7 })));
});

it("a reply that can't be recorded leaves its use to the answer's end", async () => {
  await dataSource.query("DELETE FROM chat.thread WHERE id = $1", [place.threadId]);
  await expect(add()).rejects.toThrow("foreign key");
  expect(
    await dataSource.query("SELECT FROM chat.model_usage WHERE turn_id = $1", [place.turnId]),
  ).toEqual([]);
});

it("only the end of a call that may be lost doesn't wait for the disk", async () => {
  await dataSource.query(`
    CREATE TABLE write (id int GENERATED ALWAYS AS IDENTITY, synced text);
    CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO write (synced) VALUES (current_setting('synchronous_commit'));
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON run_step EXECUTE FUNCTION note_write()`);
  await add();
  await repository.update(place.turnId, made.position, made.result);
  await repository.start(place.turnId, made.position, made.result);
  const started = { ...ended, hasStarted: true };
  await repository.update(place.turnId, made.position, started, { mayBeLost: true });
  expect(await dataSource.query("SELECT synced FROM write ORDER BY id")).toEqual(
    ["on", "on", "on", "off"].map((synced) => ({ synced })),
  );
  await expect(
    repository.update(place.turnId, made.position, started, { mayBeLost: true }),
  ).rejects.toThrow(RunLostError);
});
