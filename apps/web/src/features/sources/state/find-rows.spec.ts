import { describe, expect, it } from "@jest/globals";
import type { Sheet } from "../worker/conversion.ts";
import { findSheet } from "./find-rows.ts";

const staff: Sheet = {
  name: "Staff",
  rows: [
    ["Name", "Room"],
    ["Ada", "B12"],
    ["Grace", "C3"],
  ],
};
const rent: Sheet = {
  name: "Rent",
  rows: [
    ["Month", "Euro"],
    ["May", "about eight hundred"],
    ["June", "nearly nine hundred"],
  ],
};
const ofStaff = "Name: Ada\nRoom: B12\n\nName: Grace\nRoom: C3";
const ofRent = "Month: May\nEuro: about eight hundred\n\nMonth: June\nEuro: nearly nine hundred";
const whole = `Staff\n\n${ofStaff}\n\nRent\n\n${ofRent}`;
const quote = (text: string) => ({
  start: whole.indexOf(text),
  end: whole.indexOf(text) + text.length,
});

describe("findSheet", () => {
  it("finds the sheet with the passage", () => {
    expect(
      findSheet([staff, rent], "Book.xlsx", { text: ofRent, quotes: [], position: 0 }),
    ).toMatchObject({ sheet: 1, rows: { quoted: new Set([1, 2]) } });
  });
  it("opens a workbook that is one document at the quote", () => {
    const passage = { text: whole, quotes: [quote("Euro: nearly nine hundred")], position: 0 };
    expect(findSheet([staff, rent], "Book.xlsx", passage)).toMatchObject({
      sheet: 1,
      rows: { quoted: new Set([2]) },
    });
  });
  it("opens it at the first sheet without a quote", () => {
    const sheets = [staff, rent, { name: "More", rows: Array(9).fill(["word"]) as string[][] }];
    const text = `${whole}\n\nMore\n\n${"word\n".repeat(9)}`;
    expect(findSheet(sheets, "Book.xlsx", { text, quotes: [], position: 0 })).toEqual({
      sheet: 0,
      rows: null,
    });
  });
  it("finds nothing for a passage from elsewhere", () => {
    const passage = { text: "Thermal bridges of balconies in winter", quotes: [], position: 0 };
    expect(findSheet([staff, rent], "Book.xlsx", passage)).toBeNull();
  });
});
