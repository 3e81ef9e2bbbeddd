// A team at work, for the scripts of a day and of the soak.
import exec from "k6/execution";
import type { ConstantArrivalRateScenario, Options } from "k6/options";
import {
  addDocuments,
  cleanUp,
  dismiss,
  invite,
  makeKey,
  prepare,
  removeKey,
  startMeasuring,
  stopMeasuring,
  type Ground,
  type Person,
} from "./ground.ts";
import { ask, openPage, search, upload } from "./work.ts";

export interface Team extends Ground {
  people: Person[];
  key: { id: number; secret: string };
}

/** Documents in the workspace before the test. */
const documents = 50;

/** How often a person does each of these in a working day. */
export const workOfADay = { pages: 40, questions: 25, uploads: 3, searches: 5 };

/** The work of `count` people as scenarios: `perMinute` of each kind for `minutes`. */
export function teamOptions(perMinute: typeof workOfADay, minutes: number): Options {
  const scenario = (rate: number, name: string): ConstantArrivalRateScenario => ({
    executor: "constant-arrival-rate",
    rate: Math.max(1, Math.round(rate)),
    timeUnit: "1m",
    duration: `${minutes}m`,
    preAllocatedVUs: 100, // k6 drops iterations while it allocates more
    maxVUs: 400,
    gracefulStop: "2m",
    exec: name,
  });
  return {
    setupTimeout: "15m",
    teardownTimeout: "5m",
    scenarios: Object.fromEntries(
      Object.entries(perMinute).map(([name, rate]) => [name, scenario(rate, name)]),
    ),
  };
}

/** Thresholds for a team, whatever the length of the test. */
export const teamThresholds = {
  iterations: ["count>0"], // a rate threshold passes without samples
  checks: ["rate==1"],
  http_req_failed: ["rate==0"],
  dropped_iterations: ["count==0"],
  answers_complete: ["rate==1"],
  answer_accepted: ["p(95)<1000"],
  "http_req_duration{name:list workspaces}": ["p(95)<250"],
  "http_req_duration{name:read history}": ["p(95)<400"],
  "http_req_duration{name:upload}": ["p(95)<1000"],
  "http_req_duration{name:search}": ["p(95)<500"],
};

export function prepareTeam(name: string, size: number): Team {
  const ground = prepare(name);
  addDocuments(ground, documents, 5_000);
  const team = { ...ground, people: invite(ground, size), key: makeKey(ground.token) };
  startMeasuring();
  return team;
}

export function dismissTeam(team: Team): void {
  stopMeasuring();
  removeKey(team.token, team.key.id);
  dismiss(team, team.people);
  cleanUp(team);
}

const now = (): number => exec.scenario.iterationInTest;
const next = ({ people }: Team): Person => people[now() % people.length]!;

export function pages(team: Team): void {
  const { token, thread } = next(team);
  openPage(token, team.slug, thread);
}

export function questions(team: Team): void {
  const { token, thread } = next(team);
  ask(token, team.slug, thread, now());
}

export function uploads(team: Team): void {
  upload(team.token, team.slug, 1_000 + now(), 10_000);
}

export function searches(team: Team): void {
  search(team.key.secret, team.slug, now() % documents);
}
