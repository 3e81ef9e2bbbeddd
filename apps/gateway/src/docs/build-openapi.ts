import {
  CarrelError,
  errorCodes,
  operations,
  updateDeveloperPreferences,
  updatePreferences,
  updateSettings,
  uploadAndEmbed,
  uploadDocument,
  uploadLogo,
  uploadProfilePicture,
  type Operation,
} from "@carrel/contracts";
import { z } from "zod";
import { mapError } from "../http/error-map.ts";

type Schema = Record<string, unknown>;
const contentTypes = {
  json: "application/json",
  text: "text/plain",
  sse: "text/event-stream",
  bytes: "application/octet-stream",
  empty: null,
} as const;
/** Fields of multipart bodies beside what the contract says. */
const documentParts = {
  file: { type: "string", format: "binary" },
  folderName: { type: "string" },
  metadata: { type: "string", description: "JSON object" },
};
const picturePart = {
  type: "string",
  format: "binary",
  description: "JPEG, PNG, WebP, GIF or AVIF, at most 10 MB",
};
const multipart = new Map<string, { properties: Record<string, Schema>; required: string[] }>([
  [uploadDocument.name, { properties: documentParts, required: ["file"] }],
  [uploadAndEmbed.name, { properties: documentParts, required: ["file"] }],
  [uploadProfilePicture.name, { properties: { file: picturePart }, required: ["file"] }],
  [uploadLogo.name, { properties: { logo: picturePart }, required: ["logo"] }],
]);
/** Bodies that are a flat map themselves (http/input.ts). */
const flatMaps = new Set(
  [updateSettings, updatePreferences, updateDeveloperPreferences].map(
    (operation) => operation.name,
  ),
);
/** Set by the gateway, whatever a client sends. */
const ownFields = new Set(["address", "userAgent", "device"]);
const securitySchemes = {
  session: {
    type: "http",
    scheme: "bearer",
    description:
      "Session token of POST /api/request-token; not needed while the instance has no password.",
  },
  developerKey: { type: "http", scheme: "bearer", description: "Developer API key." },
  extensionKey: { type: "http", scheme: "bearer", description: "Browser-extension key." },
};
function buildSecurity({ access: { who } }: Operation): Schema {
  if (who === "public") return { security: [] };
  if (who === "key") return { security: [{ developerKey: [] }] };
  return who === "extension" ? { security: [{ extensionKey: [] }] } : {};
}
/** Who may, where a valid credential is not enough. */
function buildDescription({ access: { who, mode } }: Operation): Schema {
  const rules = [
    who === "admin" ? "Role admin." : who === "manager" ? "Role manager or admin." : "",
    mode === undefined ? "" : `Only in ${mode === "multi" ? "multi-user" : "single-user"} mode.`,
  ].filter(Boolean);
  return rules.length === 0 ? {} : { description: rules.join(" ") };
}

function toSchema(type: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  }) as Schema;
  return schema;
}

function buildOperation(operation: Operation): Schema {
  const http = operation.http!;
  const names = [...http.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const input = toSchema(operation.input, "input") as {
    properties?: Record<string, Schema>;
    required?: string[];
    type?: string;
  };
  const fields = Object.entries(input.properties ?? {}).filter(
    ([name]) => !names.includes(name) && !ownFields.has(name),
  );
  const required = input.required ?? [];
  const inQuery = http.method === "GET";
  return {
    operationId: operation.name,
    summary: http.summary,
    tags: [operation.name.split(".")[1]],
    ...buildDescription(operation),
    ...buildSecurity(operation),
    parameters: [
      ...names.map((name) => ({
        name,
        in: "path",
        required: true,
        schema: input.properties?.[name] ?? { type: "string" },
      })),
      ...(inQuery
        ? fields.map(([name, schema]) => ({
            name,
            in: "query",
            required: required.includes(name),
            schema,
          }))
        : []),
    ],
    ...(inQuery ? {} : buildBody(operation, fields, required)),
    responses: {
      [operation.success.status]: buildSuccess(operation),
      ...buildFailures(operation),
      default: anyFailure,
    },
  };
}

function buildBody(operation: Operation, fields: [string, Schema][], required: string[]): Schema {
  const parts = multipart.get(operation.name);
  if (parts !== undefined)
    return {
      requestBody: {
        required: true,
        content: { "multipart/form-data": { schema: { type: "object", ...parts } } },
      },
    };
  if (flatMaps.has(operation.name))
    return {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              additionalProperties:
                operation.name === updateSettings.name ? { type: "string" } : true,
            },
          },
        },
      },
    };
  if (fields.length === 0) return {};
  const properties = Object.fromEntries(fields);
  const needed = required.filter((name) => name in properties);
  return {
    requestBody: {
      required: needed.length > 0,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties,
            ...(needed.length > 0 ? { required: needed } : {}),
          },
        },
      },
    },
  };
}

function buildSuccess(operation: Operation): Schema {
  const { kind } = operation.success;
  const type = contentTypes[kind];
  if (type === null) return { description: "Done" };
  return {
    description: kind === "sse" ? "Event stream" : "Done",
    content: {
      [type]: {
        schema: kind === "json" ? toSchema(operation.output, "output") : { type: "string" },
      },
    },
  };
}

/** What a failure looks like where nothing else is said. */
const anyFailure = {
  description: "Any other failure, told by its status",
  content: {
    "application/json": { schema: { type: "object", properties: { error: { type: "string" } } } },
    "text/plain": { schema: { type: "string" } },
  },
};

/**
 * The codes that the contract says something of, and those that every route of its kind can answer.
 */
function buildFailures(operation: Operation): Schema {
  const codes = new Set<string>([
    ...Object.keys(operation.errors ?? {}),
    "BAD_INPUT",
    ...listGuardCodes(operation),
    ...(operation.access.workspace === true ? ["WORKSPACE_NOT_FOUND"] : []),
  ]);
  const responses: Record<string, Schema> = {};
  for (const code of errorCodes) {
    if (!codes.has(code)) continue;
    const failure = mapError(new CarrelError(code, "Why it failed."), operation);
    const status = String(failure.status);
    if (status === String(operation.success.status)) continue;
    // Two codes may share a status and differ in their body.
    const known = responses[status] ?? { description: code };
    const content =
      failure.kind === "empty" ? {} : { [contentTypes[failure.kind]]: { example: failure.body } };
    responses[status] = {
      description: known.description === code ? code : `${String(known.description)}, ${code}`,
      content: { ...anyFailure.content, ...(known.content as Schema | undefined), ...content },
    };
  }
  return responses;
}

const listGuardCodes = ({ access: { who, mode } }: Operation): string[] => [
  ...(who === "public"
    ? []
    : [who === "key" || who === "extension" ? "KEY_REFUSED" : "UNAUTHENTICATED"]),
  ...(who === "manager" || who === "admin" || mode !== undefined ? ["FORBIDDEN"] : []),
];

/**
 * OpenAPI 3.1 of everything that is mounted, from the contracts alone; committed as
 * docs/openapi.json.
 */
export function buildOpenApi(): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const operation of operations.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (operation.http === undefined) continue;
    const path = `/api${operation.http.path.replace(/:(\w+)/g, "{$1}")}`;
    paths[path] = {
      ...paths[path],
      [operation.http.method.toLowerCase()]: buildOperation(operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Carrel",
      version: "0.1.0",
      description: "The HTTP API of a Carrel instance. Made from the contracts in libs/contracts.",
    },
    servers: [{ url: "/" }],
    security: [{ session: [] }],
    components: { securitySchemes },
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
