import { z } from "zod";
import { accountTool } from "../account/account-request.ts";
import { mailAddress } from "../account/mail-draft.ts";
import type { ApprovalDetail, Tool } from "../tool.ts";
import { AppsScriptClient, type AppsScript, type AppsScriptPorts } from "./apps-script.ts";

const time = z.string().regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/, {
  message: "must be YYYY-MM-DD or YYYY-MM-DDTHH:MM",
});
const guests = z.array(mailAddress).max(50);
const title = z.string().min(1).max(250);
const location = z.string().max(500);
const description = z.string().max(8_000);
const times = "YYYY-MM-DDTHH:MM in the calendar's time zone, or YYYY-MM-DD for whole days.";
const lastDay = "For whole days, the day after the last one.";

const listInput = z.object({
  start: time.describe(times),
  end: time.describe(`${times} Not included.`),
  query: z.string().max(200).optional().describe("Words of title, place, guests or description."),
});
type ListInput = z.infer<typeof listInput>;
const createInput = z.object({
  title,
  start: time.describe(times),
  end: time.describe(lastDay),
  location: location.optional(),
  description: description.optional(),
  guests: guests.optional().describe("E-mail addresses. Google sends them an invitation."),
});
type CreateInput = z.infer<typeof createInput>;
const updateInput = z.object({
  id: z.string().min(1).max(300).describe("From calendar-list-events."),
  // An approval shows it, because an ID says nothing; the script compares it.
  currentTitle: z.string().max(1_000).describe("The event's title as it is now."),
  title: title.optional().describe("A new title."),
  start: time.optional().describe(`${times} Needs an end, too.`),
  end: time.optional().describe(lastDay),
  location: location.optional(),
  description: description.optional(),
  addGuests: guests.optional(),
  removeGuests: guests.optional(),
});
type UpdateInput = z.infer<typeof updateInput>;

/** Both ends are days, or both are times. */
const areAlike = ({
  start,
  end,
}: {
  start?: string | undefined;
  end?: string | undefined;
}): boolean => start?.length === end?.length;
const isAllDay = (start: string | undefined): boolean => start?.length === 10;

/* Results of the actions in `libs/skills/apps-script/calendar.gs`. */
const event = z.object({
  id: z.string(),
  title: z.string(),
  isAllDay: z.boolean(),
  start: z.string(),
  end: z.string(),
  location: z.string(),
  description: z.string(),
  guests: z.array(z.object({ address: z.string(), status: z.string() })),
  isRecurring: z.boolean(),
});
type CalendarEvent = z.infer<typeof event>;
const listed = z.object({
  timeZone: z.string(),
  events: z.array(event),
  hasMore: z.boolean(),
});

function writeEvent(one: CalendarEvent): string {
  return [
    `ID: ${one.id}`,
    `Title: ${one.title}${one.isRecurring ? " (recurring)" : ""}`,
    `${one.isAllDay ? "All day" : "Time"}: ${one.start} to ${one.end}${one.isAllDay ? " (not included)" : ""}`,
    ...(one.location === "" ? [] : [`Place: ${one.location}`]),
    ...(one.guests.length === 0
      ? []
      : [
          `Guests: ${one.guests.map(({ address, status }) => `${address} (${status.toLowerCase()})`).join(", ")}`,
        ]),
    ...(one.description === "" ? [] : [`Description: ${one.description}`]),
  ].join("\n");
}

/** What was given, with its caption. */
function details(
  fields: [label: string, value: string | string[] | undefined][],
): ApprovalDetail[] {
  return fields.flatMap(([label, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
    // An empty text deletes what was there.
    return value === undefined || (Array.isArray(value) && text === "")
      ? []
      : [{ label, value: text }];
  });
}
const destinationOf = (addresses: string[]): string => ["Google Calendar", ...addresses].join(", ");

/** The default calendar of the account in which the person has deployed the script. */
export function createGoogleCalendar(settings: AppsScript, ports: AppsScriptPorts): Tool[] {
  const script = new AppsScriptClient("Google Calendar", settings, ports);
  const skill = "google-calendar-agent";

  const list = accountTool<ListInput>({
    skill,
    name: "calendar-list-events",
    description: "Lists events of the person's Google calendar.",
    input: listInput,
    effect: "none",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: ({ start, end }) => `${start} – ${end}`,
    async run(fields, { signal }) {
      const { timeZone, events, hasMore } = await script.call({
        action: "list",
        fields,
        result: listed,
        signal,
        isRepeatable: true,
      });
      const zone = `Times are in ${timeZone}.`;
      if (events.length === 0) return { text: `There are no events. ${zone}` };
      const more = hasMore ? "\n\nThere are more events: list a shorter time." : "";
      return { text: [zone, ...events.map(writeEvent)].join("\n\n") + more };
    },
  });

  const create = accountTool<CreateInput>({
    skill,
    name: "calendar-create-event",
    description: "Creates an event in the person's Google calendar and invites its guests.",
    input: createInput.refine(areAlike, { message: "start and end must both be days or times" }),
    effect: "send",
    isUntrusted: false,
    isRepeatable: false,
    approval: "always",
    object: (input) => input.title,
    describe: (input) => ({
      destination: destinationOf(input.guests ?? []),
      details: details([
        ["Title", input.title],
        ["Start", input.start],
        ["End", input.end],
        ["Place", input.location],
        ["Description", input.description],
        ["Guests", input.guests],
      ]),
    }),
    async run(fields, { signal }) {
      const created = await script.call({
        action: "create",
        fields: { ...fields, isAllDay: isAllDay(fields.start) },
        result: event,
        signal,
        isRepeatable: false,
      });
      return { text: `The event was created.\n${writeEvent(created)}` };
    },
  });

  const update = accountTool<UpdateInput>({
    skill,
    name: "calendar-update-event",
    description:
      "Changes an event of the person's Google calendar. What isn't given stays as it is. Recurring events can't be changed.",
    input: updateInput.refine(areAlike, { message: "start and end must both be days or times" }),
    effect: "send",
    // Returns the whole event, of which others may have written the rest.
    isUntrusted: true,
    isRepeatable: false,
    approval: "always",
    object: (input) => input.currentTitle,
    describe: (input) => ({
      destination: destinationOf([...(input.addGuests ?? []), ...(input.removeGuests ?? [])]),
      details: details([
        ["Event", input.currentTitle],
        ["New title", input.title],
        ["Start", input.start],
        ["End", input.end],
        ["Place", input.location],
        ["Description", input.description],
        ["Guests to add", input.addGuests],
        ["Guests to remove", input.removeGuests],
      ]),
    }),
    async run(fields, { signal }) {
      const changed = await script.call({
        action: "update",
        fields: { ...fields, isAllDay: isAllDay(fields.start) },
        result: event,
        signal,
        isRepeatable: false,
      });
      return { text: `The event was changed.\n${writeEvent(changed)}` };
    },
  });

  return [list, create, update];
}
