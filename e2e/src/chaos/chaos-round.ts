import { setTimeout as pause } from "node:timers/promises";
import { waitFor, type Deployed, type Deployment } from "@carrel/testing";
import pg from "pg";
import { Api } from "../api.ts";
import { ChaosClient } from "./chaos-client.ts";

/** The longest a client may wait for its end after the kill, on an otherwise idle machine. */
const timeoutMs = 10_000;
const wordsOfAnswer = 150;

export interface RoundResult {
  kind: "gateway" | "chat";
  streams: number;
  full: number;
  aborted: number;
  cut: number;
  refused: number;
  /**
   * Clients whose text is not a prefix of what PostgreSQL stores, or whose complete answer it does
   * not store.
   */
  lost: number;
  /** Duplicated turns, texts or frames. */
  doubled: number;
  /** Milliseconds from the kill until the last client ended. */
  slowest: number;
  faults: string[];
}

/** Reproducible numbers in [0, 1). */
function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

export interface Ground {
  deployment: Deployment;
  databaseUrl: string;
  slug: string;
  threads: string[];
}

/** A workspace with one thread per client. */
export async function prepareGround(
  deployment: Deployment,
  databaseUrl: string,
  clients: number,
): Promise<Ground> {
  const api = new Api(deployment.named("gateway")[0]!.url);
  const { slug } = await api.makeWorkspace("Chaos");
  // Keeps history from slowing down later rounds.
  await api.json("POST", `/workspace/${slug}/update`, { openAiHistory: 1 });
  const threads: string[] = [];
  for (let n = 0; n < clients; n += 1)
    threads.push(
      (await api.json<{ thread: { slug: string } }>("POST", `/workspace/${slug}/thread/new`)).thread
        .slug,
    );
  return { deployment, databaseUrl, slug, threads };
}

interface StoredTurn {
  thread: string;
  question: string;
  answer: string;
  state: string;
  error: string | null;
}

export async function readTurns(databaseUrl: string, mark: string): Promise<StoredTurn[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (
      await client.query<StoredTurn>(
        `SELECT t.slug AS thread, u.question, u.answer, u.state, u.error
        FROM chat.turn u
        JOIN chat.thread t ON t.id = u.thread_id
        WHERE u.question LIKE $1`,
        [`${mark}%`],
      )
    ).rows;
  } finally {
    await client.end();
  }
}

/** The vendor repeats its question word by word, so each client knows its complete answer. */
const questionOf = (mark: string, client: number): string =>
  `${mark}c${client} ${Array.from({ length: wordsOfAnswer }, (_, n) => `w${client}x${n}`).join(" ")}`;

/**
 * Asks in all threads at once through all gateways, kills one process midway, waits for every
 * client to end and compares what each received with what PostgreSQL stores. Does not restart the
 * killed process.
 */
export async function runRound(
  ground: Ground,
  o: { round: number; kind: "gateway" | "chat"; seed: number; timeoutMs?: number },
): Promise<RoundResult> {
  const { deployment, slug, threads } = ground;
  const random = seededRandom(o.seed * 1_000 + o.round);
  const mark = `${o.kind}${o.seed}n${o.round}`;
  const gateways = deployment.named("gateway");
  const living = (first: number) => (): string[] => {
    const own = deployment.named("gateway");
    return [
      ...own.filter((one) => one === gateways[first]),
      ...own.filter((one) => one !== gateways[first]),
    ].map(({ url }) => url);
  };
  const clients = threads.map(
    (thread, n) =>
      new ChaosClient({
        slug,
        thread,
        question: questionOf(mark, n),
        isOwn: random() < 0.7,
        gateways: living(n % gateways.length),
        limitMs: 40_000,
      }),
  );
  const running = clients.map((client) => client.run());
  // Midway: most of the answers are streaming.
  await waitFor(() =>
    Promise.resolve(clients.filter((client) => client.text !== "").length >= clients.length / 2),
  );
  await pause(300 + random() * 2_000);
  const [victims, at] = [deployment.named(o.kind), performance.now()];
  const victim: Deployed = victims[Math.floor(random() * victims.length)]!;
  await deployment.kill(victim);
  await Promise.all(running);

  // Answers without a reader end too.
  const turns = await waitFor(async () => {
    const found = await readTurns(ground.databaseUrl, mark);
    return found.every(({ state }) => state !== "queued" && state !== "running") && found;
  });
  const result: RoundResult = {
    kind: o.kind,
    streams: clients.length,
    full: 0,
    aborted: 0,
    cut: 0,
    refused: 0,
    lost: 0,
    doubled: 0,
    slowest: 0,
    faults: [],
  };
  for (const client of clients)
    judge(
      client,
      turns.filter(({ thread }) => thread === client.asking.thread),
      result,
      { killedAt: at, timeoutMs: o.timeoutMs ?? timeoutMs },
    );
  return result;
}

function judge(
  client: ChaosClient,
  turns: StoredTurn[],
  result: RoundResult,
  limit: { killedAt: number; timeoutMs: number },
): void {
  const { question, isOwn } = client.asking;
  const name = `${question.split(" ")[0]} (${isOwn ? "own" : "old"}, ${client.end})`;
  const blamed = new Set<string>();
  /** Each client counts once, however many faults it has. */
  const blame = (kind: "lost" | "doubled" | null, words: string): void => {
    if (kind !== null && !blamed.has(kind)) result[kind] += 1;
    if (kind !== null) blamed.add(kind);
    result.faults.push(`${name}: ${words}`);
  };
  result[client.end!] += 1;
  const took = client.endedAt - limit.killedAt;
  result.slowest = Math.max(result.slowest, took);
  if (took > limit.timeoutMs) blame(null, `ended ${Math.round(took)} ms after the kill`);
  for (const fault of client.faults) blame("doubled", fault);
  if (turns.length > 1) blame("doubled", `${turns.length} turns`);
  const turn = turns[0];
  if (turn === undefined) {
    if (client.shown !== "" || client.end === "full") blame("lost", "its turn is not there");
    return;
  }
  if (!question.startsWith(turn.answer))
    blame("doubled", `PostgreSQL keeps other words: …${turn.answer.slice(-80)}`);
  if (!turn.answer.startsWith(client.shown))
    blame(
      "lost",
      `was shown ${client.shown.length} characters, PostgreSQL keeps ${turn.answer.length} (${turn.state})`,
    );
  if (client.end === "full" && (turn.answer !== question || client.text !== question))
    blame(
      "lost",
      `its whole answer has ${client.text.length} characters, PostgreSQL keeps ${turn.answer.length}, asked were ${question.length}`,
    );
  if (client.end === "aborted" && turn.state !== "failed")
    blame(null, `was told of an abort, PostgreSQL says ${turn.state}`);
  if (client.end === "aborted" && isOwn && client.text !== turn.answer)
    blame(
      "lost",
      `ended with ${client.text.length} characters, PostgreSQL keeps ${turn.answer.length}`,
    );
  if (turn.state === "done" && turn.answer !== question)
    blame("lost", `done with ${turn.answer.length} of ${question.length} characters`);
}
