import { findTexts } from "@carrel/texts";
import { describe, expect, it } from "@jest/globals";
import { listBuiltIns, readBuiltIns, type Moment } from "./built-in-variables.ts";

const say = findTexts(null);
const moment: Moment = {
  now: new Date("2026-03-09T17:05:09Z"),
  timeZone: "UTC",
  locale: "en-US",
  user: { username: "ada", bio: " Reads. " },
  workspace: { id: 7, name: "Papers" },
};
// Newer ICU data puts a narrow no-break space before AM and PM.
const plain = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value.replace(/[\u202f\u00a0]/g, " ")]),
  );

describe("built-in variables", () => {
  it("describe the given moment", () => {
    expect(plain(readBuiltIns(moment))).toEqual({
      time: "5:05:09 PM",
      date: "3/9/2026",
      datetime: "3/9/2026, 5:05:09 PM",
      time_24: "17:05:09",
      datetime_24: "3/9/2026, 17:05:09",
      "user.name": "ada",
      "user.bio": "Reads.",
      "workspace.id": "7",
      "workspace.name": "Papers",
    });
  });

  it.each([
    ["de-DE", "Europe/Berlin", "9.3.2026, 18:05:09"],
    ["en-GB", "Asia/Tokyo", "10/03/2026, 2:05:09"],
    ["en-US", "America/Los_Angeles", "3/9/2026, 10:05:09 AM"],
    // Unknown locales and time zones are ignored independently.
    ["no such language", "Asia/Tokyo", "3/10/2026, 2:05:09 AM"],
    ["de-DE", "Mars/Olympus", null],
    ["x", "y", null],
    [null, "UTC", "3/9/2026, 5:05:09 PM"],
    ["", "", null],
  ])("are formatted for locale %j and time zone %j", (locale, timeZone, expected) => {
    const { datetime } = plain(readBuiltIns({ ...moment, locale, timeZone }));
    if (expected === null) expect(datetime).toContain("2026");
    else expect(datetime?.replace(", 02:", ", 2:")).toBe(expected);
  });

  it("format midnight as 00 on a 24-hour clock", () => {
    expect(readBuiltIns({ ...moment, now: new Date("2026-03-09T00:05:00Z") }).time_24).toBe(
      "00:05:00",
    );
  });

  it("have placeholders for missing values", () => {
    expect(readBuiltIns({ ...moment, user: null, workspace: null })).toMatchObject({
      "user.name": "[User name]",
      "user.bio": "[User bio]",
      "workspace.id": "[Workspace ID]",
      "workspace.name": "[Workspace name]",
    });
    expect(readBuiltIns({ ...moment, user: { username: "ada", bio: " " } })).toMatchObject({
      "user.bio": "[User bio is empty]",
    });
  });

  it("are listed without id and value, and user variables only if there is a user", () => {
    const all = listBuiltIns(true, say);
    expect(all.map(({ key }) => key)).toEqual([
      "time",
      "date",
      "datetime",
      "time_24",
      "datetime_24",
      "user.name",
      "user.bio",
      "workspace.id",
      "workspace.name",
    ]);
    for (const one of all)
      expect(Object.keys(one).toSorted()).toEqual([
        "description",
        "key",
        "multiUserRequired",
        "type",
      ]);
    expect(
      all.filter(({ multiUserRequired }) => multiUserRequired === true).map(({ key }) => key),
    ).toEqual(["user.name", "user.bio"]);
    expect(listBuiltIns(true, findTexts("de"))[1]!.description).toBe("Aktuelles Datum");
    expect(listBuiltIns(false, say).map(({ key }) => key)).not.toContain("user.name");
  });
});
