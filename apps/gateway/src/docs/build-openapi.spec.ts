import { readFileSync } from "node:fs";
import { endpoints, type Endpoint } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { buildOpenApi } from "./build-openapi.ts";
import { nameOperation } from "./operation-names.ts";

interface Media {
  example?: unknown;
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
const document = buildOpenApi() as { paths: Record<string, Record<string, Operation>> };
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);
const describedBy = (endpoint: Endpoint): Operation => operations.get(nameOperation(endpoint))!;
const named = endpoints.map((endpoint) => [nameOperation(endpoint), endpoint] as const);

describe("OpenAPI", () => {
  it("lists every endpoint once", () => {
    expect(operations.size).toBe(endpoints.length);
    expect([...operations.keys()].toSorted()).toEqual(named.map(([name]) => name).toSorted());
  });

  it.each(named)("%s has examples that its contract accepts", (_name, endpoint) => {
    const { parameters, requestBody, responses } = describedBy(endpoint);
    const given = Object.fromEntries(
      parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
    ) as Record<string, unknown>;
    const body = requestBody?.content["application/json"]?.example;
    const { bodyField } = endpoint;
    const input = bodyField === undefined ? (body as object) : { [bodyField]: body };
    const read = endpoint.input.safeParse({ ...input, ...given });
    expect(read.error?.issues ?? []).toEqual([]);
    const [reply] = Object.values(responses[endpoint.success.status]!.content ?? {});
    if (endpoint.success.kind === "json") {
      const written = endpoint.output.safeParse(reply!.example);
      expect(written.error?.issues ?? []).toEqual([]);
    }
    if (endpoint.success.kind === "text" || endpoint.success.kind === "sse")
      expect(reply!.example).toMatch(/\w{2}/);
  });

  it("matches the committed copy; run `./carrel openapi` after changing a contract", () => {
    const committed: unknown = JSON.parse(
      readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"),
    );
    expect(committed).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
