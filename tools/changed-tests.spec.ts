import { describe, expect, it } from "@jest/globals";
import { relatedTests } from "./changed-tests.ts";

describe("tests that a change can touch", () => {
  it("are unit tests that import it, through packages, and integration tests of its own", () => {
    const tests = relatedTests(["libs/database/src/secret-box.ts"]);
    expect(tests).toContain("libs/database/src/secret-box.spec.ts");
    expect(tests).toContain("apps/gateway/src/chat/collect-generation.spec.ts");
    expect(tests.filter((test) => test.endsWith(".int-spec.ts"))).not.toContain(
      "services/workspace/test/setting.int-spec.ts",
    );
    expect(tests).not.toContain("libs/retrieval/src/analyse.spec.ts");
  });

  it("are integration tests of the package that changed", () => {
    expect(relatedTests(["services/workspace/src/variable/variable.module.ts"])).toContain(
      "services/workspace/test/variable.int-spec.ts",
    );
  });

  it("are none for files that no test imports", () => {
    expect(relatedTests(["README.md", "deploy/compose/compose.yaml"])).toEqual([]);
  });
});
