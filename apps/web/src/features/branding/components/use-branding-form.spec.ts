import { describe, expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { changesOf, faultCount, isLinkFaulty, textFault, valuesOf } from "./use-branding-form.tsx";

const saved = valuesOf({ custom_app_name: "Lab", meta_page_title: null }, [
  { icon: "Globe", url: "https://a.example" },
]);

describe("branding form", () => {
  it("sends what differs, and null for what was emptied", () => {
    expect(saved).toMatchObject({ name: "Lab", title: "", favicon: "", email: "" });
    expect(changesOf(saved, saved)).toEqual({});
    expect(changesOf({ ...saved, name: "  ", title: " The lab " }, saved)).toEqual({
      custom_app_name: null,
      meta_page_title: "The lab",
    });
    expect(changesOf({ ...saved, links: [] }, saved)).toEqual({ footer_data: "[]" });
    // Back to what was saved.
    expect(changesOf(saved, { ...saved, name: "", links: [] })).toEqual({
      custom_app_name: "Lab",
      footer_data: '[{"icon":"Globe","url":"https://a.example"}]',
    });
  });

  it("accepts email, web and mail addresses where they belong", () => {
    expect(textFault("email", "help@a.example")).toBeNull();
    expect(textFault("email", "help")).toBe("email");
    expect(textFault("favicon", "https://a.example/i.png")).toBeNull();
    expect(textFault("favicon", "javascript:alert(1)")).toBe("favicon");
    expect(textFault("name", "Anything")).toBeNull();
    const faulty = (url: string) => isLinkFaulty({ icon: "", url });
    expect(
      ["mailto:a@b.example", "https://a.example", "", "tel:1", "a.example"].map(faulty),
    ).toEqual([false, false, true, true, true]);
    expect(faultCount({ ...saved, email: "x", links: [{ icon: "", url: "" }] })).toBe(2);
  });
});
