import { CarrelError } from "@carrel/contracts";
import type { z } from "zod";
import { testCall } from "../test-call.fixture.ts";
import { createScheduledJobSkill, type SchedulePort } from "./create-scheduled-job.ts";

const nextAt = new Date("2026-12-01T08:00:00Z");
const created: unknown[] = [];
const port: SchedulePort = {
  create: (schedule, key) => {
    created.push([schedule, key]);
    return schedule.name === "Refused"
      ? Promise.reject(new CarrelError("schedule.too-many", { limit: 20 }))
      : Promise.resolve({ id: "5a6b1a4e-2e30-4f27-9f2a-0c6d3b1f7e01", nextAt });
  },
};
const [tool] = createScheduledJobSkill(port) as [
  ReturnType<typeof createScheduledJobSkill>[number],
];
const job = { name: "Brief", prompt: "What is new?", timeZone: "Europe/Berlin" };
beforeEach(() => {
  created.length = 0;
});

it("always asks, and shows all that will be done and when", () => {
  expect(tool).toMatchObject({ effect: "write", approval: "always" });
  expect(tool.describe!({ ...job, cron: "0 9 * * *" })).toEqual({
    destination: null,
    details: [
      { label: "name", value: "Brief" },
      { label: "prompt", value: "What is new?" },
      { label: "schedule", value: "0 9 * * * (Europe/Berlin)" },
    ],
  });
});

it("creates a repeated or a single job and shows it", async () => {
  const { outputs, text } = await tool.run({ ...job, cron: "0 9 * * *" }, testCall());
  expect(outputs).toEqual([
    {
      type: "schedule",
      id: "5a6b1a4e-2e30-4f27-9f2a-0c6d3b1f7e01",
      name: "Brief",
      schedule: "0 9 * * *",
      timeZone: "Europe/Berlin",
      nextAt: nextAt.toISOString(),
    },
  ]);
  expect(text).toContain("2026-12-01T08:00:00.000Z");
  await tool.run({ ...job, at: "2026-12-01T09:00:00+01:00" }, testCall());
  expect(created).toMatchObject([
    [{ timing: { kind: "cron", cron: "0 9 * * *", timeZone: "Europe/Berlin" } }, expect.anything()],
    [{ timing: { kind: "once", at: "2026-12-01T08:00:00.000Z" } }, expect.anything()],
  ]);
});

it.each([
  ["2026-12-05T09:00:00", "America/New_York", "2026-12-05T14:00:00.000Z"],
  ["2026-12-05 09:00", "Asia/Kolkata", "2026-12-05T03:30:00.000Z"],
  ["2026-12-05T09:00:00+02:00", "America/New_York", "2026-12-05T07:00:00.000Z"],
  ["2026-12-05T09:00:00Z", "America/New_York", "2026-12-05T09:00:00.000Z"],
])("reads %s in %s", async (at, timeZone, stored) => {
  await tool.run({ ...job, cron: "", at, timeZone }, testCall());
  expect(created).toMatchObject([[{ timing: { kind: "once", at: stored, timeZone } }, "a-key"]]);
  expect(tool.describe!({ ...job, cron: "", at, timeZone }).details).toContainEqual({
    label: "schedule",
    value: `${at} (${timeZone})`,
  });
});

it.each([
  {},
  { cron: " ", at: "" },
  { at: "tomorrow" },
  { at: "2026-02-31T09:00:00Z" },
  { at: "0 9 * * *" },
  { at: "+020000-01-01T00:00:00Z" },
  { at: "9999-12-31T23:59:59-14:00" },
  { at: "2026-12-05T09:00:00", timeZone: "Mars/Olympus" },
])("asks nobody to approve %j", (timing) => {
  const { success, error } = (tool.input as z.ZodType).safeParse({ ...job, ...timing });
  expect(success).toBe(false);
  expect(error!.message).toContain("ISO 8601");
});

it("says what the person can do about a fault", async () => {
  await expect(
    tool.run({ ...job, name: "Refused", cron: "@daily" }, testCall()),
  ).rejects.toMatchObject({ fault: { code: "schedule.too-many", params: { limit: 20 } } });
});
