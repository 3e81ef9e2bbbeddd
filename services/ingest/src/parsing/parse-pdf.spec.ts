import { describe, expect, it } from "@jest/globals";
import { makePdf, makeTextPdf } from "../../test/fixtures/make-pdf.ts";
import { parse, reason, headingsOf } from "../../test/parse.ts";
import { rectanglesFor } from "./rectangles.ts";

describe("PDF", () => {
  it("returns text, pages, headings by font size, joined hyphenation, and rectangles where the words are", async () => {
    const parsed = await parse(
      "a.pdf",
      makeTextPdf([
        {
          title: "Evacuation",
          lines: ["In case of fire leave by the near-", "est exit at once.", "Do not use lifts."],
        },
        { title: "Extinguishers", lines: ["They hang in every corridor."] },
      ]),
    );
    expect(parsed.text).toBe(
      "Evacuation\n\nIn case of fire leave by the nearest exit at once.\nDo not use lifts.\n\nExtinguishers\n\nThey hang in every corridor.".replace(
        "nearest exit",
        "nearest exit",
      ),
    );
    expect(headingsOf(parsed)).toEqual(["1 Evacuation", "1 Extinguishers"]);
    expect(parsed.pages.map((page) => page.page)).toEqual([1, 2]);
    const at = parsed.text.indexOf("use lifts");
    const [rectangle, ...others] = rectanglesFor(parsed.pages, at, at + "use lifts".length);
    expect(others).toEqual([]);
    expect(rectangle).toMatchObject({ page: 1 });
    expect(rectangle!.x).toBeGreaterThan(95);
    expect(rectangle!.y).toBeGreaterThan(655);
    expect(rectangle!.y + rectangle!.height).toBeLessThan(675);
    const both = rectanglesFor(parsed.pages, 0, parsed.text.length);
    expect(new Set(both.map((r) => r.page))).toEqual(new Set([1, 2]));
    expect(both).toHaveLength(6);
  });

  it("reads 100 pages in a few seconds", async () => {
    const started = process.cpuUsage();
    const parsed = await parse(
      "a.pdf",
      makeTextPdf(
        Array.from({ length: 100 }, (_, i) => ({
          title: `Chapter ${i}`,
          lines: Array.from(
            { length: 40 },
            (_l, l) => `Line ${l} of chapter ${i} with some more words on it`,
          ),
        })),
      ),
    );
    expect(parsed.pages).toHaveLength(100);
    expect(process.cpuUsage(started).user).toBeLessThan(15_000_000);
  }, 90_000);

  it("reports a protected, damaged, cut-off or textless file", async () => {
    const whole = makeTextPdf([{ lines: ["Some text that would be readable"] }]);
    expect(
      await reason("a.pdf", makePdf([[{ text: "x", x: 1, y: 1, size: 9 }]], { encrypt: true })),
    ).toBe("The PDF is password-protected.");
    expect(
      await reason(
        "a.pdf",
        Buffer.concat([
          Buffer.from("%PDF-1.7\n"),
          Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 37) % 251)),
        ]),
      ),
    ).toBe("The PDF is damaged or incomplete.");
    expect(await reason("a.pdf", whole.subarray(0, 60))).toBe("The PDF is damaged or incomplete.");
    expect(await reason("scan.pdf", makePdf([[]]))).toBe("No text content found in scan.pdf.");
  });

  it("is detected under a wrong name and behind stray bytes", async () => {
    const pdf = makeTextPdf([{ lines: ["Hello there"] }]);
    expect((await parse("notes.txt", pdf)).text).toBe("Hello there");
    expect((await parse("a.pdf", Buffer.concat([Buffer.from("\n\n"), pdf]))).text).toBe(
      "Hello there",
    );
  });
});
