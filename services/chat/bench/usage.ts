/**
 * Benchmarks usage reports over a million calls of 90 days with a real chat replica: 300 people in
 * working hours, each in two of 40 workspaces with two of eight models, a tenth of the calls with API
 * keys. Prints the slowest of all groupings, with and without filters, and how long the migration
 * takes.
 */
import {
  getUsage,
  usageGroupings,
  type Args,
  type UsageReport,
  type WorkspaceScope,
} from "@carrel/contracts";
import { DataSource } from "typeorm";
import { ChatInstance } from "../test/chat-instance.ts";

const calls = 1_000_000;
const rounds = 5;
const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));
const median = (numbers: number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const seed = `INSERT INTO chat.model_usage (
    used_at, purpose, state, workspace_id, user_id, key_id, provider, model, input_tokens,
    cached_tokens, output_tokens, reasoning_tokens, is_estimated, first_token_ms, duration_ms, cost
  )
  SELECT timestamptz '2026-07-01 00:00:00+00' + day * interval '1 day'
      + (7 + 11 * random()) * interval '1 hour',
    CASE WHEN random() < 0.95 THEN 'answer' ELSE 'title' END,
    CASE WHEN random() < 0.02 THEN 'failed' ELSE 'done' END,
    1 + (person * 7 + (random() < 0.2)::int * 13) % 40,
    CASE WHEN n % 10 = 0 THEN NULL ELSE person END,
    CASE WHEN n % 10 = 0 THEN person % 20 END,
    'provider-' || model % 4, 'model-' || model,
    (1000 + 8000 * random())::int, 500, (100 + 900 * random())::int, 0, false,
    (200 + 3000 * random() * random())::int, 4000,
    CASE WHEN model = 7 THEN NULL ELSE (9000 * random())::int END
  FROM (
    SELECT n, person, (person + (random() < 0.25)::int * 3) % 8 AS model, (random() * 89)::int AS day
    FROM (
      -- A few ask a lot: squared, so the first tenth of the people ask a third of the questions.
      SELECT n, 1 + floor(300 * random() * random())::int AS person
      FROM generate_series(1, ${calls}) AS n
    ) people
  ) chosen`;

const chat = await ChatInstance.start();
const database = await new DataSource({
  type: "postgres",
  url: chat.database.url,
  extra: { options: "-c search_path=chat,public" },
}).initialize();
try {
  await chat.startReplica();
  await database.query("ALTER TABLE model_usage DISABLE TRIGGER ALL");
  await database.query(seed);
  await database.query("ALTER TABLE model_usage ENABLE TRIGGER ALL");
  await database.query("INSERT INTO chat.usage_pending SELECT id FROM chat.model_usage");
  const { UsageSummer } = await import("../src/usage/usage-summer.ts");
  const summing = performance.now();
  await new UsageSummer(database).due();
  const summed = performance.now() - summing;
  await database.query("VACUUM ANALYZE model_usage, usage_hour, usage_day");
  const [{ hours }] = (await database.query(
    "SELECT (SELECT count(*) FROM chat.usage_day) + (SELECT count(*) FROM chat.usage_hour) AS hours",
  )) as [{ hours: string }];
  const scope = {
    principal: { kind: "user", userId: 1, role: "admin" },
    workspace: null,
  } as unknown as WorkspaceScope;
  const period = { from: "2026-07-01", to: "2026-09-28" };
  const read = async (query: Partial<Args<typeof getUsage>>): Promise<[number, UsageReport]> => {
    const times: number[] = [];
    let report: UsageReport;
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      report = await chat.request(getUsage, { ...period, ...query }, scope);
      times.push(performance.now() - began);
    }
    return [median(times), report!];
  };
  for (const [how, query] of [
    ["90 days, UTC", {}],
    ["90 days, Berlin", { timeZone: "Europe/Berlin" }],
    ["90 days, a workspace, Berlin", { timeZone: "Europe/Berlin", workspaceId: 8 }],
    ["90 days, India", { timeZone: "Asia/Kolkata" }],
  ] as const) {
    const times = new Map<string, number>();
    let answers = 0;
    for (const groupBy of usageGroupings) {
      const [ms, report] = await read({ ...query, groupBy });
      times.set(groupBy, ms);
      answers = report.totals.answers;
    }
    const [slowest, ms] = [...times].sort(([, a], [, b]) => b - a)[0]!;
    print({
      what: "A usage report",
      how: `${calls.toLocaleString("en-US")} calls, ${how}, ${answers.toLocaleString("en-US")} answers`,
      figure: `${ms.toFixed(0)} ms (by ${slowest}; median of ${rounds})`,
      reach: [...times].map(([name, each]) => `${name} ${each.toFixed(0)}`).join(", "),
      goal: "300 ms",
    });
  }
  print({
    what: "Summing calls by hour",
    how: `${calls.toLocaleString("en-US")} calls into ${Number(hours).toLocaleString("en-US")} sums`,
    figure: `${(summed / 1000).toFixed(1)} s`,
    reach: "",
    goal: "",
  });
} finally {
  await database.destroy();
  await chat.stop();
}
