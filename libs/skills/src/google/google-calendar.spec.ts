import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { callTools } from "../account/account-server.fixture.ts";
import { AppsScriptFixture } from "./apps-script.fixture.ts";
import { CalendarStandIn } from "./calendar.fixture.ts";
import { createGoogleCalendar } from "./google-calendar.ts";
import { startGoogle, type GoogleServer } from "./google-server.fixture.ts";

let google: AppsScriptFixture;
let calendar: CalendarStandIn;
let server: GoogleServer;
const { named, textOf, faultOf, accepts } = callTools(() =>
  createGoogleCalendar(server.settings, server.ports),
);
const meeting = { title: "Review", start: "2026-05-04T09:30", end: "2026-05-04T10:00" };

beforeAll(async () => {
  server = await startGoogle(() => google);
});
afterAll(() => server.stop());
beforeEach(() => {
  calendar = new CalendarStandIn();
  google = new AppsScriptFixture("calendar.gs", { CalendarApp: calendar.app });
  google.replyOrigin = server.replyOrigin;
});

describe("Google Calendar", () => {
  it("creates events in the calendar's time zone, and lists them", async () => {
    await textOf("calendar-create-event", {
      ...meeting,
      location: "Room 1",
      description: "Agenda",
      guests: ["bob@example.com"],
    });
    expect(calendar.events[0]?.start.toISOString()).toBe("2026-05-04T07:30:00.000Z");
    expect(calendar.invited).toEqual(["bob@example.com"]);
    expect(await textOf("calendar-list-events", { start: "2026-05-04", end: "2026-05-05" })).toBe(
      "Times are in Europe/Berlin.\n\nID: e0@google.com\nTitle: Review\nTime: 2026-05-04T09:30 to 2026-05-04T10:00\nPlace: Room 1\nGuests: bob@example.com (invited)\nDescription: Agenda",
    );
    const none = { start: "2026-05-05", end: "2026-05-06" };
    expect(await textOf("calendar-list-events", none)).toBe(
      "There are no events. Times are in Europe/Berlin.",
    );
  });

  it("creates events of whole days", async () => {
    const text = await textOf("calendar-create-event", {
      title: "Fair",
      start: "2026-05-04",
      end: "2026-05-07",
    });
    expect(text).toContain("All day: 2026-05-04 to 2026-05-07 (not included)");
    expect(calendar.events[0]).toMatchObject({ isAllDay: true, guests: [] });
    expect(calendar.invited).toEqual([]);
  });

  it("changes only what is given", async () => {
    await textOf("calendar-create-event", { ...meeting, guests: ["bob@example.com"] });
    const text = await textOf("calendar-update-event", {
      id: "e0@google.com",
      currentTitle: "Review",
      start: "2026-05-05T09:00",
      end: "2026-05-05T09:30",
      addGuests: ["eve@example.com"],
      removeGuests: ["bob@example.com"],
    });
    expect(text).toContain("Title: Review\nTime: 2026-05-05T09:00 to 2026-05-05T09:30");
    expect(calendar.events[0]?.guests).toEqual(["eve@example.com"]);
    await textOf("calendar-update-event", {
      id: "e0@google.com",
      currentTitle: "Review",
      title: "New",
      description: "",
    });
    expect(calendar.events[0]?.title).toBe("New");
    calendar.add({ isRecurring: true });
    calendar.add({ title: "Other" });
    for (const [id, code] of [
      ["e2@google.com", "account.request-refused"],
      ["e1@google.com", "account.request-refused"],
      ["gone", "account.item-missing"],
    ] as const)
      expect(
        (await faultOf("calendar-update-event", { id, currentTitle: "", title: "x" }))[0],
      ).toBe(code);
  });

  it("refuses times that make no sense", async () => {
    expect(accepts("calendar-create-event", meeting)).toBe(true);
    expect(accepts("calendar-create-event", { ...meeting, end: "2026-05-05" })).toBe(false);
    expect(accepts("calendar-create-event", { ...meeting, start: "tomorrow" })).toBe(false);
    expect(
      accepts("calendar-update-event", { id: "x", currentTitle: "", start: meeting.start }),
    ).toBe(false);
    expect(accepts("calendar-create-event", { ...meeting, guests: ["Bob <b@c.de>"] })).toBe(false);
    expect((await faultOf("calendar-create-event", { ...meeting, end: meeting.start }))[0]).toBe(
      "account.request-refused",
    );
    const years = { start: "2020-01-01", end: "2026-01-01" };
    expect((await faultOf("calendar-list-events", years))[1]).toContain("400 days");
  });

  it("says when there are more events", async () => {
    for (let n = 0; n < 101; n++)
      calendar.add({ start: new Date("2026-05-04T10:00Z"), end: new Date("2026-05-04T11:00Z") });
    expect(
      await textOf("calendar-list-events", { start: "2026-05-01", end: "2026-06-01" }),
    ).toContain("There are more events");
  });

  it("shows everything that would be sent, and asks always", () => {
    const input = { ...meeting, description: "x".repeat(5_000), guests: ["bob@example.com"] };
    for (const name of ["calendar-create-event", "calendar-update-event"])
      expect(named(name)).toMatchObject({ effect: "send", approval: "always" });
    expect(named("calendar-create-event").describe?.(input)).toEqual({
      destination: "Google Calendar, bob@example.com",
      details: [
        { label: "Title", value: "Review" },
        { label: "Start", value: meeting.start },
        { label: "End", value: meeting.end },
        { label: "Description", value: input.description },
        { label: "Guests", value: "bob@example.com" },
      ],
    });
    expect(
      named("calendar-update-event").describe?.({
        id: "e0",
        currentTitle: "Review",
        location: "",
        addGuests: ["e@f.gh"],
      }),
    ).toEqual({
      destination: "Google Calendar, e@f.gh",
      details: [
        { label: "Event", value: "Review" },
        { label: "Place", value: "" },
        { label: "Guests to add", value: "e@f.gh" },
      ],
    });
  });

  it("needs the script's key", async () => {
    google.properties.set("API_KEY", "x".repeat(64));
    expect((await faultOf("calendar-create-event", meeting))[0]).toBe("account.key-refused");
    expect(calendar.events).toEqual([]);
  });
});
