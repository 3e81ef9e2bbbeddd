import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { endpoints } from "@carrel/contracts";
import { buildOpenApi } from "./build-openapi.ts";

describe("OpenAPI", () => {
  it("names every endpoint once", () => {
    const paths = buildOpenApi().paths as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((method) => method.operationId),
    );
    expect(ids.toSorted()).toEqual(endpoints.map((endpoint) => endpoint.name).toSorted());
  });

  it("is committed as it is now; run `./carrel openapi` after changing a contract", () => {
    const committed: unknown = JSON.parse(
      readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"),
    );
    expect(committed).toEqual(JSON.parse(JSON.stringify(buildOpenApi())));
  });
});
