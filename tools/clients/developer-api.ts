// What the clients are generated from: the developer API's part of docs/openapi.json.
import { readFileSync } from "node:fs";

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
  format?: string;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
}
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: JsonSchema;
}
type Content = Record<string, { schema: JsonSchema }>;
export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  security?: unknown;
}
export interface DeveloperApi {
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes?: unknown };
}

const isFailure = (status: string): boolean => !/^2/.test(status);

/** A parameter named like a field of the body needs another name to be passed beside it. */
function renameColliding(path: string, operation: ApiOperation): string {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema.properties ?? {};
  let renamed = path;
  for (const parameter of operation.parameters) {
    if (parameter.in !== "path" || !(parameter.name in body)) continue;
    const name = `workspace${parameter.name[0]!.toUpperCase()}${parameter.name.slice(1)}`;
    renamed = renamed.replace(`{${parameter.name}}`, `{${name}}`);
    parameter.name = name;
  }
  return renamed;
}

/** Without failures, which the clients turn into exceptions, and with one credential for all. */
export function readDeveloperApi(): DeveloperApi {
  const document = JSON.parse(
    readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"),
  ) as DeveloperApi;
  const paths: DeveloperApi["paths"] = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.startsWith("/api/v1/")) continue;
    for (const [method, operation] of Object.entries(methods)) {
      delete operation.security;
      for (const status of Object.keys(operation.responses))
        if (isFailure(status)) delete operation.responses[status];
      const renamed = renameColliding(path, operation);
      paths[renamed] = { ...paths[renamed], [method]: operation };
    }
  }
  delete document.components.securitySchemes;
  // No route of the developer API has flows.
  delete document.components.schemas.FlowStep;
  return { ...document, paths };
}

/** The content type and schema of a reply; null if it is empty. */
export function readReply(operation: ApiOperation): [type: string, schema: JsonSchema] | null {
  const [reply] = Object.values(operation.responses);
  const [content] = Object.entries(reply?.content ?? {});
  return content === undefined ? null : [content[0], content[1].schema];
}

export const isStream = (operation: ApiOperation): boolean =>
  readReply(operation)?.[0] === "text/event-stream";
