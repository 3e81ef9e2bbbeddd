import { describe, expect, it } from "@jest/globals";
import { quotableUnits } from "./quotable-units.ts";

const quoted = (text: string) =>
  quotableUnits(text).map(({ start, end }) => text.slice(start, end));

describe("quotableUnits", () => {
  it("treats headings as context, never as sentences", () => {
    const text =
      "# Harbour house\n\n## Waste\n\nGlass is collected on Tuesdays. The bins stand outside.\n\nLaundry\n=======\n\nA wash costs two tokens.\n\n**Opening hours**\n\nFrom seven to nine.";
    expect(
      quotableUnits(text).map(({ start, end, above }) => [above, text.slice(start, end)]),
    ).toEqual([
      ["Waste", "Glass is collected on Tuesdays."],
      ["Waste", "The bins stand outside."],
      ["Laundry", "A wash costs two tokens."],
      ["Opening hours", "From seven to nine."],
    ]);
  });

  it("treats numbered titles, known headings and titles above facts as headings", () => {
    const text =
      "Annual\nreport\n\nNOTICE\n\nWater\n\nDate: 14 May\nTime: 09:00\n\n1. Budget\nThe board approved it.\n\n1. Open the lid\n2. Press Start\n\nThen wait.";
    expect(quotableUnits(text, ["Annual"]).map(({ start, end }) => text.slice(start, end))).toEqual(
      [
        "report",
        "Date: 14 May\nTime: 09:00",
        "The board approved it.",
        "Open the lid",
        "Press Start",
        "Then wait.",
      ],
    );
  });

  it("treats a plain-text title as a heading, but not a line without a full stop in text that has none", () => {
    expect(
      quoted("Sustainability report 2024\n\nWe used less water than before. That is good."),
    ).toEqual(["We used less water than before.", "That is good."]);
    expect(quoted("The key hangs behind the door")).toEqual(["The key hangs behind the door"]);
    expect(quoted("ห้องสมุดเปิดเก้าโมง\n\nค่าปรับห้าบาท.")).toHaveLength(2);
  });

  it("quotes list entries without bullets, with their lead-in as context", () => {
    const text =
      "The box contains:\n\n- a charger\n* [x] two **cables**\n3. Never mix acids.\n> - a cited entry\n";
    expect(quoted(text)).toEqual([
      "The box contains:",
      "a charger",
      "two **cables**",
      "Never mix acids.",
      "a cited entry",
    ]);
    expect(quotableUnits(text)[1]!.above).toContain("The box contains:");
  });

  it("does not end a sentence after a title or an initial", () => {
    expect(
      quoted("Mr. Adeyemi teaches adults, Ms. Lund children. It was built by J. R. Hale in 1902."),
    ).toEqual([
      "Mr. Adeyemi teaches adults, Ms. Lund children.",
      "It was built by J. R. Hale in 1902.",
    ]);
  });

  it("treats a question as context of its answer", () => {
    const text =
      "**When is it open?** From eight to nine. Not on Mondays.\n\nWhat does it cost?\n\nFive pounds.";
    expect(quoted(text)).toEqual(["From eight to nine.", "Not on Mondays.", "Five pounds."]);
    expect(quotableUnits(text).map(({ above }) => above.replaceAll("*", ""))).toEqual([
      "When is it open?",
      "When is it open?",
      "What does it cost?",
    ]);
  });

  it('quotes table rows without bars, header and rule, and a "column: value" row as a whole', () => {
    const text =
      "| Item | Limit |\n| --- | ---: |\n| Hotel | 140 euros |\n| Dinner | 32 euros |\n\nname: Berg\nroom: 12\n";
    expect(quoted(text)).toEqual([
      "Hotel | 140 euros",
      "Dinner | 32 euros",
      "name: Berg\nroom: 12",
    ]);
    expect(quotableUnits(text)[0]!.above).toContain("Limit");
  });

  it("keeps short lines apart that are no sentence of several", () => {
    expect(
      quoted("The office is open as follows.\nMonday 9 to 17\nTuesday 10 to 18\nFriday closed"),
    ).toEqual([
      "The office is open as follows.",
      "Monday 9 to 17",
      "Tuesday 10 to 18",
      "Friday closed",
    ]);
  });

  it("keeps units from breaking out of a Markdown paragraph", () => {
    const text =
      "```sh\nnpm start # now\n```\n\n<div>\n<!-- hidden --> Text in tags.</div>\n\n**Warning: hot. Do not touch.**\n\nUse `tar` and *gzip*.\n\n---\n\n~~~\nopen code";
    const units = quoted(text);
    expect(units).toEqual(
      expect.arrayContaining([
        "npm start # now",
        "Warning: hot.",
        "Do not touch.",
        "Use `tar` and *gzip*.",
        "open code",
      ]),
    );
    for (const unit of units) {
      expect(unit).not.toMatch(
        /^(?:#{1,6}\s|[-*+>|]\s|```|~~~|<)|```|~~~|\n\s*(?:#{1,6}\s|[-*+>]\s)/m,
      );
      expect(text).toContain(unit);
    }
  });

  it("handles long input in linear time", () => {
    const started = process.threadCpuUsage();
    for (const text of [
      "x".repeat(300_000),
      "word ".repeat(60_000),
      "| a | b |\n".repeat(30_000),
      "<".repeat(100_000),
      "**".repeat(100_000),
      "- \n".repeat(50_000),
      "a\n\n".repeat(50_000),
    ])
      quotableUnits(text);
    expect(process.threadCpuUsage(started).user).toBeLessThan(8_000_000);
  });
});
