import { describe, expect, it } from "@jest/globals";
import { makeOdf, makePptx } from "../../test/fixtures/make-office.ts";
import { parse, place } from "../../test/parse-recognised.ts";

describe("presentations", () => {
  it("PPTX: slides in show order, titles as headings, tables as rows, notes, and no slide numbers", async () => {
    const parsed = await parse(
      "a.pptx",
      makePptx([
        {
          title: "Growth",
          lines: ["Sales doubled", "in two years & a half"],
          notes: "Mention the new shop.",
        },
        {
          table: {
            firstRow: true,
            rows: [
              ["City", "Shops"],
              ["Rome", "4"],
              ["Oslo", "7"],
            ],
          },
        },
        {
          title: "Plan",
          table: {
            firstRow: false,
            rows: [
              ["Spring", "open"],
              ["Autumn", "close"],
            ],
          },
        },
      ]),
    );
    expect(parsed).toMatchObject({
      format: "pptx",
      mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      docSource: "pptx file uploaded by the user.",
    });
    expect(parsed.text).toBe(
      "Growth\n\nSales doubled\n\nin two years & a half\n\nNotes: Mention the new shop.\n\nSlide 2\n\nCity: Rome\nShops: 4\n\nCity: Oslo\nShops: 7\n\nPlan\n\nSpring | open\nAutumn | close",
    );
    expect(place(parsed, "Mention")).toEqual({ path: ["Growth"], page: 1 });
    expect(place(parsed, "Oslo")).toEqual({ path: ["Slide 2"], page: 2 });
    expect(place(parsed, "Autumn")).toEqual({ path: ["Plan"], page: 3 });
  });

  it("ODP: slides with their names, and notes", async () => {
    const parsed = await parse(
      "a.odp",
      makeOdf(
        "presentation",
        '<draw:page draw:name="page1"><draw:frame><draw:text-box><text:p>Hello<text:s text:c="2"/>there</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Smile.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page><draw:page draw:name="Costs"><draw:frame><draw:text-box><text:list><text:list-item><text:p>Rent</text:p></text:list-item><text:list-item><text:p>Wages</text:p></text:list-item></text:list></draw:text-box></draw:frame></draw:page>',
      ),
    );
    expect(parsed.text).toBe(
      "Slide 1\n\nHello  there\n\nNotes: Smile.\n\nCosts\n\n- Rent\n- Wages",
    );
    expect(place(parsed, "Wages")).toEqual({ path: ["Costs"], page: 2 });
  });
});
