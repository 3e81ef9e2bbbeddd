import {
  CarrelError,
  defineEvent,
  defineJob,
  defineOperation,
  servicePrincipal,
  type EventPayload,
  type In,
  type JobPayload,
  type Out,
  type Scope,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  Outbox,
  Process,
  Reconciler,
  RequestClient,
  eventMessage,
  jobMessage,
  keyed,
  messagingMigration,
  type Contracts,
  type JobContext,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager, type MigrationInterface, type QueryRunner } from "typeorm";
import { z } from "zod";
import { defineService } from "../src/start-service.ts";

/** A small service for the messaging and runtime tests; it borrows a real service's name. */
const own = { service: "auth", access: { who: "internal" } } as const;
export const scope: Scope = { principal: servicePrincipal, workspace: null };

export const echo = defineOperation({
  ...own,
  name: "fixture.echo.get",
  idempotency: "natural",
  input: z.object({ text: z.string().max(200_000), delayMs: z.number().default(0) }),
  output: z.object({ text: z.string(), pid: z.number() }),
});
/** Inserts a row per run, so that a test can count runs. */
export const record = defineOperation({
  ...own,
  name: "fixture.run.record",
  idempotency: "none",
  input: z.object({ id: z.string(), delayMs: z.number().default(0) }),
  output: z.object({ pid: z.number() }),
});
export const recordNatural = defineOperation({
  ...own,
  name: "fixture.run.record-natural",
  idempotency: "natural",
  input: record.input,
  output: record.output,
});
export const createItem = defineOperation({
  ...own,
  name: "fixture.item.create",
  idempotency: "keyed",
  input: z.object({ name: z.string(), delayMs: z.number().default(0) }),
  output: z.object({ id: z.number(), pid: z.number() }),
});
export const poison = defineOperation({
  ...own,
  name: "fixture.poison.take",
  idempotency: "natural",
  input: z.object({}),
  output: z.void(),
});
export const fail = defineOperation({
  ...own,
  name: "fixture.fault.make",
  idempotency: "none",
  input: z.object({ kind: z.enum(["bug", "refusal", "wrong output", "large output"]) }),
  output: z.object({ text: z.string() }),
});
export const nested = defineOperation({
  ...own,
  name: "fixture.nested.get",
  idempotency: "natural",
  input: z.object({ delayMs: z.number() }),
  output: z.object({ deadline: z.number(), requestId: z.string(), outcome: z.string() }),
});
export const startTasks = defineOperation({
  ...own,
  name: "fixture.task.start",
  idempotency: "keyed",
  input: z.object({ count: z.number(), workMs: z.number() }),
  output: z.object({ ids: z.array(z.number()) }),
});

export const work = defineJob({
  name: "fixture.work",
  service: "auth",
  queue: "work",
  payload: z.object({ taskId: z.number(), version: z.number() }),
  attempts: 3,
  backoffMs: 50,
});
const taskStarted = defineEvent({
  name: "fixture.task-started",
  service: "auth",
  consumers: ["auth"],
  payload: z.object({ taskId: z.number() }),
});

const contracts: Contracts = {
  operations: [echo, record, recordNatural, createItem, poison, fail, nested, startTasks],
  jobs: [work],
  events: [taskStarted],
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

@Controller()
class FixtureHandler {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(RequestClient) private readonly client: RequestClient,
  ) {}

  @Handle(echo)
  async echo(input: In<typeof echo>): Promise<Out<typeof echo>> {
    if (input.delayMs > 0) await wait(input.delayMs);
    return { text: input.text, pid: process.pid };
  }

  @Handle(record)
  async record(input: In<typeof record>): Promise<Out<typeof record>> {
    await this.dataSource.query("INSERT INTO run (id, pid) VALUES ($1, $2)", [
      input.id,
      process.pid,
    ]);
    if (input.delayMs > 0) await wait(input.delayMs);
    return { pid: process.pid };
  }

  @Handle(recordNatural)
  recordNatural(input: In<typeof recordNatural>): Promise<Out<typeof recordNatural>> {
    return this.record(input);
  }

  @Handle(createItem)
  async createItem(
    input: In<typeof createItem>,
    ctx: RequestContext,
  ): Promise<Out<typeof createItem>> {
    return keyed(this.dataSource, ctx, async (manager) => {
      const [row] = await manager.query<{ id: number }[]>(
        "INSERT INTO item (name) VALUES ($1) RETURNING id",
        [input.name],
      );
      if (input.delayMs > 0) await wait(input.delayMs);
      return { id: row!.id, pid: process.pid };
    });
  }

  @Handle(poison)
  async poison(): Promise<void> {
    process.kill(process.pid, "SIGKILL");
  }

  @Handle(fail)
  async fail(input: In<typeof fail>): Promise<Out<typeof fail>> {
    if (input.kind === "bug") throw new TypeError("the secret is hunter2");
    if (input.kind === "refusal")
      throw new CarrelError("request.body-too-deep", { limit: 3 }, { retryAfter: 7 });
    if (input.kind === "large output") return { text: "x".repeat(1024 * 1024) };
    return { words: 1 } as unknown as Out<typeof fail>;
  }

  @Handle(nested)
  async nested(input: In<typeof nested>, ctx: RequestContext): Promise<Out<typeof nested>> {
    const outcome = await this.client
      .request(echo, { text: "inner", delayMs: input.delayMs }, { scope: ctx.scope })
      .then(
        () => "answered",
        (error: CarrelError) => error.kind,
      );
    return { deadline: ctx.deadline, requestId: ctx.requestId, outcome };
  }

  @Handle(startTasks)
  async startTasks(
    input: In<typeof startTasks>,
    ctx: RequestContext,
  ): Promise<Out<typeof startTasks>> {
    return keyed(this.dataSource, ctx, async (manager: EntityManager) => {
      const rows = await manager.query<{ id: number }[]>(
        "INSERT INTO task (work_ms) SELECT $1::int FROM generate_series(1, $2::int) RETURNING id",
        [input.workMs, input.count],
      );
      await this.outbox.add(
        manager,
        ...rows.flatMap(({ id }) => [
          jobMessage(work, { rowId: id, version: 1, payload: { taskId: id, version: 1 } }),
          eventMessage(taskStarted, { taskId: id }),
        ]),
      );
      return { ids: rows.map(({ id }) => id) };
    });
  }
}

@Injectable()
class FixtureWorker {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  @Process(work, { concurrency: 8 })
  async work({ taskId, version }: JobPayload<typeof work>, { attempt }: JobContext): Promise<void> {
    const [task] = await this.dataSource.query<{ work_ms: number; state: string }[]>(
      "SELECT work_ms, state FROM task WHERE id = $1 AND version = $2",
      [taskId, version],
    );
    if (task?.state !== "due") return;
    await this.dataSource.query("INSERT INTO attempt (task_id, pid, number) VALUES ($1, $2, $3)", [
      taskId,
      process.pid,
      attempt,
    ]);
    await wait(task.work_ms);
    await this.dataSource.transaction(async (manager) => {
      const [, changed] = await manager.query<[unknown, number]>(
        "UPDATE task SET state = 'done' WHERE id = $1 AND version = $2 AND state = 'due'",
        [taskId, version],
      );
      if (changed === 1) await manager.query("INSERT INTO effect (task_id) VALUES ($1)", [taskId]);
    });
  }

  @Consume(taskStarted)
  async started({ taskId }: EventPayload<typeof taskStarted>): Promise<void> {
    await this.dataSource.query("INSERT INTO heard (task_id) VALUES ($1) ON CONFLICT DO NOTHING", [
      taskId,
    ]);
  }
}

@Injectable()
class FixtureReconciler extends Reconciler {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {
    super();
  }
  async due(): Promise<OutboxMessage[]> {
    const jobs = await this.dataSource.query<{ id: number; version: number }[]>(
      "SELECT id, version FROM task WHERE state = 'due' ORDER BY id",
    );
    const unheard = await this.dataSource.query<{ id: number }[]>(
      "SELECT id FROM task WHERE NOT EXISTS (SELECT 1 FROM heard WHERE task_id = task.id)",
    );
    return [
      ...jobs.map(({ id, version }) =>
        jobMessage(work, { rowId: id, version, payload: { taskId: id, version } }),
      ),
      ...unheard.map(({ id }) => eventMessage(taskStarted, { taskId: id })),
    ];
  }
}

class Fixture1760000000001 implements MigrationInterface {
  readonly name = "Fixture1760000000001";
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE TABLE run (id text NOT NULL, pid integer NOT NULL)");
    await runner.query("CREATE TABLE item (id serial PRIMARY KEY, name text NOT NULL)");
    await runner.query(
      "CREATE TABLE task (id serial PRIMARY KEY, version integer NOT NULL DEFAULT 1, work_ms integer NOT NULL, state text NOT NULL DEFAULT 'due')",
    );
    await runner.query(
      "CREATE TABLE attempt (task_id integer NOT NULL, pid integer NOT NULL, number integer NOT NULL)",
    );
    await runner.query("CREATE TABLE effect (task_id integer NOT NULL)");
    await runner.query("CREATE TABLE heard (task_id integer PRIMARY KEY)");
  }
  async down(): Promise<void> {
    throw new Error("never undone");
  }
}

@Module({ controllers: [FixtureHandler], providers: [FixtureWorker, FixtureReconciler] })
class FixtureModule {}

export const fixtureService = defineService({
  name: "auth",
  module: FixtureModule,
  contracts,
  database: {
    schema: "fixture",
    entities: [],
    migrations: [messagingMigration("fixture"), Fixture1760000000001],
  },
});
