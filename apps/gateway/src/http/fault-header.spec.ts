import type { Fault } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { encodeFault } from "./fault-header.ts";

const decode = (fault: Fault): unknown => JSON.parse(encodeFault(fault));

describe("the header", () => {
  it("names a fault in ASCII, with parameters only if there are any", () => {
    expect(encodeFault({ code: "user.not-found" })).toBe('{"code":"user.not-found"}');
    const fault: Fault = { code: "user.name-taken", params: { name: "Zoë 🙂" } };
    expect(encodeFault(fault)).toMatch(/^[\x20-\x7e]+$/);
    expect(decode(fault)).toEqual(fault);
  });
  it("cuts long texts and lists, also in nested faults", () => {
    const nested = (host: string): Fault => ({
      code: "link.refused",
      params: { reason: { code: "egress.host-unknown", params: { host } } },
    });
    expect(decode(nested("x".repeat(500)))).toEqual(nested("x".repeat(200)));
    expect(decode(nested("a.example"))).toEqual(nested("a.example"));
    const listed = (reasons: string[]): Fault => ({
      code: "document.some-not-added",
      params: {
        count: 9,
        reasons: reasons.map((reason) => ({ code: "document.not-added", params: { reason } })),
      },
    });
    expect(decode(listed(Array<string>(9).fill("x".repeat(500))))).toEqual(
      listed(Array<string>(5).fill("x".repeat(200))),
    );
  });
  it("stays small when texts need six bytes per character", () => {
    const listed = (reasons: string[]): Fault => ({
      code: "document.some-not-added",
      params: {
        count: 9,
        reasons: reasons.map((reason) => ({ code: "document.not-added", params: { reason } })),
      },
    });
    const long = listed(Array<string>(5).fill("文".repeat(300)));
    expect(encodeFault(long).length).toBeLessThanOrEqual(2_000);
    expect(decode(long)).toEqual(listed(["文".repeat(60)]));
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`text${n}`, "文".repeat(300)]),
    );
    expect(encodeFault({ code: "user.name-taken", params: many })).toBe(
      '{"code":"user.name-taken"}',
    );
  });
});
