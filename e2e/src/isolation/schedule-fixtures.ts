import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";

const id = "00000000-0000-4000-8000-000000000000";
const params = { id, runId: id };
/** None of them exists; `schedule.int-spec.ts` tries those of others. */
const gone = (body?: unknown): Fixture => ({
  names: [],
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [404],
});
const timing = { kind: "cron", cron: "0 9 1 1 *", timeZone: "UTC" };
const content = { name: "isolated", work: { kind: "prompt", prompt: "What is new?" }, timing };
const create = (allowed?: number[]): Fixture => ({
  names: ["workspace"],
  call: ({ slug }) => ({ params: { slug }, body: content }),
  ...(allowed !== undefined && { allowed }),
});

export const scheduleFixtures: Entry[] = [
  [c.listSchedules, plain],
  ["gateway.developer-schedule.list", plain],
  [c.getSchedule, gone()],
  ["gateway.developer-schedule.get", gone()],
  // A person who has as many as allowed can have no more.
  [c.createSchedule, create([200, 409])],
  // Where there are accounts, a key says whose it is.
  ["gateway.developer-schedule.create", create([200, 400, 409])],
  [c.updateSchedule, gone(content)],
  [c.deleteSchedule, gone()],
  ["gateway.developer-schedule.delete", gone()],
  [c.setScheduleActive, gone({ active: false })],
  [c.rotateScheduleSecret, gone()],
  [c.runSchedule, gone()],
  ["gateway.developer-schedule.run", gone()],
  [c.listScheduleRuns, gone()],
  [c.getScheduleRun, gone()],
  [c.cancelScheduleRun, gone()],
  [c.allowDeniedCall, gone({ call: 0 })],
  [c.previewSchedule, { ...plain, call: () => ({ body: { timing } }) }],
];
