import { describe, expect, it } from "@jest/globals";
import { spokenWords } from "./speech.ts";

describe("spokenWords", () => {
  it("reads the words of Markdown without its markup", () => {
    expect(
      spokenWords("Behind the **shed**, says _Mrs. Albers_ [1]. Set `flow_target` to 48."),
    ).toBe("Behind the shed, says Mrs. Albers. Set flow_target to 48.");
    expect(
      spokenWords("## Waste\n\n```js\nlet day;\n```\n\nSee [the plan](https://a.b/c).").replace(
        /\s+/g,
        " ",
      ),
    ).toBe("Waste See the plan.");
  });
});
