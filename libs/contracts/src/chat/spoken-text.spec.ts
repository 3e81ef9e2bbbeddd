import { describe, expect, it } from "@jest/globals";
import { toSpokenText } from "./spoken-text.ts";

describe("toSpokenText", () => {
  it("reads the words of Markdown without its markup", () => {
    expect(
      toSpokenText("Behind the **shed**, says _Mrs. Albers_ [1]. Set `flow_target` to 48."),
    ).toBe("Behind the shed, says Mrs. Albers. Set flow_target to 48.");
    expect(
      toSpokenText("## Waste\n\n```js\nlet day;\n```\n\nSee [the plan](https://a.b/c).").replace(
        /\s+/g,
        " ",
      ),
    ).toBe("Waste See the plan.");
  });

  it("leaves out footnotes and tables' rules", () => {
    expect(
      toSpokenText("Yes [^1].\n\n| a | b |\n| --- | --- |\n| 1 | 2 |").replace(/\s+/g, " "),
    ).toBe("Yes. a b 1 2");
  });
});
