import { describe, expect, it } from "@jest/globals";
import { readBearer, readCookie } from "./bearer.ts";

describe("credentials", () => {
  it.each([
    [undefined, null],
    ["", null],
    ["Bearer null", null],
    ["Bearer undefined", null],
    ["Bearer", null],
    ["Bearer ", null],
    ["Basic abc", null],
    ["Bearer a b", null],
    ["Bearer abc.def", "abc.def"],
    ["bearer abc", "abc"],
  ])("%j holds %j", (header, token) => {
    expect(readBearer(header)).toBe(token);
  });

  it("finds one cookie among several", () => {
    expect(readCookie("a=1; carrel_session=tok; b=2", "carrel_session")).toBe("tok");
    expect(readCookie("xcarrel_session=tok", "carrel_session")).toBeNull();
    expect(readCookie("carrel_device=a==; carrel_session=", "carrel_device")).toBe("a==");
    expect(readCookie("carrel_device; =x", "carrel_device")).toBeNull();
    expect(readCookie(undefined, "carrel_session")).toBeNull();
  });
});
