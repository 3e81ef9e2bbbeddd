import { scheduleTiming, type ScheduleTiming, type StepOutput } from "@carrel/contracts";
import { Cron } from "croner";
import { z } from "zod";
import { onOneLine } from "../plain-text.ts";
import { withToolFaults } from "../tool-fault.ts";
import type { Tool } from "../tool.ts";

/** The schedules of the person. May throw CarrelError. */
export interface SchedulePort {
  /** Creates one for an agent. @param key same for each attempt, so that it is created once */
  create(
    schedule: { name: string; prompt: string; timing: ScheduleTiming },
    key: string,
  ): Promise<{ id: string; nextAt: Date }>;
}

const fields = z.object({
  name: z.string().trim().min(1).max(200).describe("A short name, such as Morning brief."),
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe("What the agent is to do each time, complete in itself."),
  cron: z
    .string()
    .max(200)
    .nullish()
    .describe("For repeated work: a cron expression with five fields, such as 0 9 * * MON-FRI."),
  at: z
    .string()
    .max(40)
    .nullish()
    .describe(
      "For work that is done once: date and time, ISO 8601. Without an offset, it is in timeZone.",
    ),
  timeZone: z.string().max(64).describe("IANA name, such as Europe/London."),
});
type JobInput = z.output<typeof fields>;

/** So that nobody is asked to approve what can't be scheduled. */
const input = fields.refine((job) => readTiming(job) !== null, {
  error:
    "Give either cron or at, which is a date and a time in ISO 8601, and the IANA name of a time zone.",
});

/** What the timing says, as an approval shows it. */
const describeTiming = ({ cron, at, timeZone }: JobInput): string =>
  `${cron?.trim() || at?.trim()} (${timeZone})`;

/** null: it says no time. */
function readTiming({ cron, at, timeZone }: JobInput): ScheduleTiming | null {
  const timing =
    (cron ?? "").trim() === ""
      ? { kind: "once", at: readTime(at ?? "", timeZone)?.toISOString(), timeZone }
      : { kind: "cron", cron, timeZone };
  return scheduleTiming.safeParse(timing).data ?? null;
}

const localTime = z.iso.datetime({ local: true });
const offsetTime = z.iso.datetime({ offset: true });

function readTime(at: string, timeZone: string): Date | null {
  const text = at.trim().replace(" ", "T");
  if (offsetTime.safeParse(text).success) return new Date(text);
  if (!localTime.safeParse(text).success) return null;
  try {
    return new Cron(text, { timezone: timeZone, paused: true }).nextRun(new Date(0));
  } catch {
    // The time zone is unknown.
    return null;
  }
}

/**
 * Has an agent do something later, unattended. It can do nothing then that would need an approval, but
 * what it does begins with what the model writes here, so the person always sees it.
 */
export function createScheduledJobSkill(schedules: SchedulePort): Tool[] {
  const tool: Tool<JobInput> = {
    skill: "create-scheduled-job",
    name: "create-scheduled-job",
    description:
      "Schedules a prompt that an agent answers later or repeatedly, in this workspace, unattended. Only use it if the person asks for something to happen later or regularly.",
    input,
    effect: "write",
    isUntrusted: false,
    // The key creates it once.
    isRepeatable: true,
    approval: "always",
    object: ({ name }) => onOneLine(name),
    describe: (job) => ({
      destination: null,
      details: [
        { label: "name", value: job.name },
        { label: "prompt", value: job.prompt },
        { label: "schedule", value: describeTiming(job) },
      ],
    }),
    async run(job, call) {
      const timing = readTiming(job)!;
      const { name, prompt } = job;
      const { id, nextAt } = await withToolFaults(
        schedules.create({ name, prompt, timing }, call.key),
      );
      const schedule = timing.kind === "cron" ? timing.cron : timing.at;
      const output: StepOutput = {
        type: "schedule",
        id,
        name,
        schedule,
        timeZone: timing.timeZone,
        nextAt: nextAt.toISOString(),
      };
      return {
        text: `Scheduled "${onOneLine(name)}" for ${describeTiming(job)}. The next run is at ${output.nextAt}.`,
        outputs: [output],
      };
    },
  };
  return [tool as Tool];
}
