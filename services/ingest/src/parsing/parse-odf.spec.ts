import { describe, expect, it } from "@jest/globals";
import { makeOdf } from "../../test/fixtures/make-office.ts";
import { parse, place } from "../../test/parse-recognised.ts";

describe("OpenDocument text", () => {
  it("keeps headings by level, lists, and tables with their header rows; leaves out deleted text and comments", async () => {
    const parsed = await parse(
      "a.odt",
      makeOdf(
        "text",
        `<text:tracked-changes><text:p>Deleted.</text:p></text:tracked-changes><text:h text:outline-level="1">Garden</text:h><text:p>Water<text:span> the</text:span> <office:annotation><text:p>why?</text:p></office:annotation>roses.</text:p>
      <text:h text:outline-level="2">Tools</text:h><text:list><text:list-item><text:p>Rake</text:p></text:list-item><text:list-item><text:p>Spade</text:p></text:list-item></text:list>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Plant</text:p></table:table-cell><table:table-cell><text:p>Month</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>Tulip</text:p></table:table-cell><table:table-cell><text:p>April</text:p></table:table-cell></table:table-row></table:table><text:p>End.</text:p>`,
      ),
    );
    expect(parsed.text).toBe(
      "Garden\n\nWater the roses.\n\nTools\n\n- Rake\n- Spade\n\nPlant: Tulip\nMonth: April\n\nEnd.",
    );
    expect(place(parsed, "Tulip").path).toEqual(["Garden", "Tools"]);
  });
});
