import { describe, expect, it } from "@jest/globals";
import { timeZone } from "./coercion.ts";

describe("a time zone", () => {
  it("has a name that PostgreSQL knows, too", () => {
    expect(timeZone.parse("europe/berlin")).toBe("Europe/Berlin");
    expect(timeZone.parse("AET")).toBe("Australia/Sydney");
    expect(timeZone.parse(undefined)).toBe("UTC");
  });

  it("is refused if nobody knows it", () => {
    for (const name of ["Nowhere/Land", "+02:00", "", "a\0b"])
      expect(timeZone.safeParse(name).success).toBe(false);
  });
});
