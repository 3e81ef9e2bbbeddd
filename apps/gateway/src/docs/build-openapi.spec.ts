import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { endpoints } from "@carrel/contracts";
import { buildOpenApi } from "./build-openapi.ts";

describe("OpenAPI", () => {
  it("lists every endpoint once", () => {
    const paths = buildOpenApi().paths as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((method) => method.operationId),
    );
    expect(ids.toSorted()).toEqual(endpoints.map((endpoint) => endpoint.name).toSorted());
  });

  it("matches the committed copy; run `./carrel openapi` after changing a contract", () => {
    const committed: unknown = JSON.parse(
      readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"),
    );
    expect(committed).toEqual(JSON.parse(JSON.stringify(buildOpenApi())));
  });
});
